"""What people see in a browser. Pages are made here, whole; the script only spares them reloads."""
