"""What runs inside of gdb."""
