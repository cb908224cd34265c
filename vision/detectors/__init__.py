"""One file a detector backend, found by scanning this folder."""
