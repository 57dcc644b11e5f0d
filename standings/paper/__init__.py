"""Printouts for arbiters: lists for the wall, slips for the tables, lists for the desk."""
