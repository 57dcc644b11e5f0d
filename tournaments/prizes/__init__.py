"""Who wins what: prizes shared and allocated in exact numbers, without a database."""
