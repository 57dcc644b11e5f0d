"""The list of events with its search, congresses, and the series and their editions."""
