"""Everything that an arbiter prints: sheets for the wall, slips for the tables, lists for the desk."""
