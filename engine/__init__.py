"""Rules of the patiences and search; knows nothing of pictures."""
