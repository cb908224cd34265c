"""Text forms of positions and moves, ours and other programs'."""
