"""The sentences of the program in every language it speaks."""
