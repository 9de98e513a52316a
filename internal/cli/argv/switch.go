package argv

// An operand is an argument that is neither a flag nor the value of one.
type operand struct {
	text   string
	index  int    // among the arguments
	before string // the switch right before it, or "" if something else is there
}

// operandsOf returns the operands among args before "--", and the arguments behind that. The function isSwitch reports
// whether an argument consists of flags without values, and takesValue whether the next argument is its value.
func operandsOf(args []string, isSwitch, takesValue func(arg string) bool) (operands []operand, rest []string) {
	before := ""
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return operands, args[i+1:]
		case !isFlag(arg):
			operands = append(operands, operand{arg, i, before})
			before = ""
		case takesValue(arg):
			before = ""
			i++
		case isSwitch(arg):
			before = arg
		default:
			before = "" // the flag has its value, as in --exclude=x
		}
	}
	return operands, nil
}

// SwitchBefore returns the switch that stands right before the last operand of args, or "" if something else does. The
// function isSwitch reports whether an argument consists of flags without values, and takesValue whether the next argument
// is its value.
func SwitchBefore(args []string, isSwitch, takesValue func(arg string) bool) string {
	operands, rest := operandsOf(args, isSwitch, takesValue)
	if len(operands) == 0 || len(rest) > 0 { // the rest are operands, by the user's own word
		return ""
	}
	return operands[len(operands)-1].before
}

// LastValue returns the last flag among args whose value is the next argument, and the value, of those for which isOperand
// reports that the value could be an operand. Both are "" if there is none. The function takesValue is that of [SwitchBefore].
func LastValue(args []string, takesValue, isOperand func(arg string) bool) (flag, value string) {
	for i := 0; i+1 < len(args) && args[i] != "--"; i++ {
		if isFlag(args[i]) && takesValue(args[i]) {
			if isOperand(args[i+1]) {
				flag, value = args[i], args[i+1]
			}
			i++
		}
	}
	return flag, value
}

// OperandBehindSwitch returns the first operand for which wrong is true and right before which a switch stands, and
// that switch. Both are "" if there is none, and the last operand is not looked at. The functions are those of
// [SwitchBefore].
func OperandBehindSwitch(args []string, isSwitch, takesValue, wrong func(arg string) bool) (before, operand string) {
	operands, _ := operandsOf(args, isSwitch, takesValue)
	for _, o := range operands[:max(0, len(operands)-1)] {
		if o.before != "" && wrong(o.text) {
			return o.before, o.text
		}
	}
	return "", ""
}
