# Read by gdb after the program has crashed: the stack, as `bt` shows it, but with a name for every function.
# A program without symbols still has its unwind table, and that knows where each function begins: `sub_11640` is the
# function at 0x11640 of its file, wherever in it the call was made.
python
import bisect, struct

def starts(path):
    """Where the functions of a file begin, by the sorted table in .eh_frame_hdr; empty where there is none."""
    with open(path, "rb") as file:
        head = file.read(64)
        if head[:5] != b"\x7fELF\x02":
            return []
        offset, size, count = struct.unpack_from("<Q", head, 32)[0], *struct.unpack_from("<HH", head, 54)
        for number in range(count):
            file.seek(offset + number * size)
            kind, _, at, address, _, length = struct.unpack_from("<IIQQQQ", file.read(size))
            if kind == 0x6474E550:  # PT_GNU_EH_FRAME
                file.seek(at)
                table = file.read(length)
                if len(table) < 12 or table[2:4] != b"\x03\x3b":  # how the table is usually written
                    return []
                rows = struct.unpack_from("<I", table, 8)[0]
                return [address + row[0] for row in struct.iter_unpack("<ii", table[12 : 12 + 8 * rows])]
    return []

def mapped(pc):
    """The file that holds this address, and where the file is loaded."""
    first = {}
    for line in open("/proc/%d/maps" % gdb.selected_inferior().pid):
        words = line.split(None, 5)
        if len(words) == 6 and words[5].startswith("/"):
            low, high = (int(word, 16) for word in words[0].split("-"))
            base = first.setdefault(words[5].strip(), low - int(words[2], 16))
            if low <= pc < high:
                return words[5].strip(), base
    return None, 0

def named(frame, known={}):
    """The function of a frame."""
    if frame.name():
        return frame.name()
    path, base = mapped(frame.pc())
    if path is None:
        return "??"
    if path not in known:
        known[path] = starts(path)
    with open(path, "rb") as file:
        shared = file.read(18)[16:18] == b"\x03\x00"  # position independent: addresses count from where it is loaded
    here = frame.pc() - (base if shared else 0)
    place = bisect.bisect_right(known[path], here) - 1
    return "sub_%x" % known[path][place] if place >= 0 else "??"

def show():
    """Print the stack."""
    frame, number = gdb.newest_frame(), 0
    while frame is not None and number < 40:
        line = frame.find_sal()
        where = " at %s:%d" % (line.symtab.filename, line.line) if line.symtab else ""
        home = gdb.solib_name(frame.pc())
        where = where or (" from %s" % home if home else "")
        print("#%d  0x%x in %s ()%s" % (number, frame.pc(), named(frame), where))
        try:
            frame, number = frame.older(), number + 1
        except gdb.error:
            break

try:
    show()
except gdb.error:
    pass
end
