"""Tests on a small cluster of Spark."""
