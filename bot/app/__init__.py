"""The composition root: settings in; an open product, or a process that serves people, out."""
