"""Renders pictures of card tables with their exact truth."""
