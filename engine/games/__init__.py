"""One file a patience, found by scanning this folder."""
