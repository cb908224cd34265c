"""Solvers and advice."""
