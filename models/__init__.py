"""Trained weights and how they were made."""
