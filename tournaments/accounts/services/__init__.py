"""Services for the forms and views of accounts."""
