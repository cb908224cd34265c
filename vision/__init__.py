"""From a picture to cards and piles; knows cards and table plans, no rules."""
