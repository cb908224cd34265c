"""`kibitz watch`: sees the table through a camera, follows the game, and gives hints by picture, text and voice."""
