package argv

// SwitchBefore returns the switch that stands right before the last operand of args, or "" if something else does. The
// function isSwitch reports whether an argument consists of flags without values, and takesValue whether the next argument
// is its value.
func SwitchBefore(args []string, isSwitch, takesValue func(arg string) bool) string {
	before, found := "", ""
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			if i+1 < len(args) {
				return "" // what follows are operands, by the user's own word
			}
			return found
		case !isFlag(arg):
			before, found = "", before
		case takesValue(arg):
			before = ""
			i++
		case isSwitch(arg):
			before = arg
		default:
			before = "" // the flag has its value, as in --exclude=x
		}
	}
	return found
}
