"""A small company whose rights change at random, and an oracle that says who may read what."""
