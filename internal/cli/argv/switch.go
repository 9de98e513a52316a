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

// OperandBehindSwitch returns the first operand for which wrong is true and right before which a switch stands, and
// that switch. Both are "" if there is none, and the last operand is not looked at. The functions are those of
// [SwitchBefore].
func OperandBehindSwitch(args []string, isSwitch, takesValue, wrong func(arg string) bool) (before, operand string) {
	last, found := "", ""
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		arg := args[i]
		switch {
		case !isFlag(arg):
			if found != "" {
				return before, found
			}
			if last != "" && wrong(arg) {
				before, found = last, arg
			}
			last = ""
		case takesValue(arg):
			last = ""
			i++
		case isSwitch(arg):
			last = arg
		default:
			last = ""
		}
	}
	return "", ""
}
