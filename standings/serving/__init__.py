"""How public pages are kept, answered and polled."""
