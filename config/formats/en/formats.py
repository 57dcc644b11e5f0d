"""English dates as tournaments are announced: the day first. Other languages have Django's own formats."""

DATE_FORMAT = "j F Y"
MONTH_DAY_FORMAT = "j F"
DATETIME_FORMAT = "j F Y, H:i"
