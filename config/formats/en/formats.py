"""English date formats with the day first, as in tournament announcements. Others are Django's own."""

DATE_FORMAT = "j F Y"
MONTH_DAY_FORMAT = "j F"
DATETIME_FORMAT = "j F Y, H:i"
