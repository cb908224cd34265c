"""What a person meets: the commands, the window, the voice and the words."""
