// Package getopt parses arguments as getopt_long(3) of the GNU C library does, down to
// the text of its errors.
package getopt

import (
	"fmt"
	"strings"
)

// Arg says whether an option takes an argument.
type Arg int

// An optional argument counts only if it is attached, as in -oARG and --option=ARG.
const (
	NoArgument Arg = iota
	RequiredArgument
	OptionalArgument
)

// An Option is one line of a program's table of options. Lines with the same ID are names of one option.
type Option struct {
	ID    int    // what [Parse] returns
	Short byte   // 0 if there is none
	Long  string // without dashes, empty if there is none
	Arg   Arg
	Whole bool // Long may not be abbreviated, and does not make abbreviations of other options ambiguous
}

// A Setting is an option that was given.
type Setting struct {
	ID       int
	Value    string
	HasValue bool // false if the option takes no argument, or an optional one is missing
}

// An Error is an error in the arguments. Its text is the same as that of the GNU C library or gnulib, without
// the program's name, and may have several lines.
type Error string

func (e Error) Error() string { return string(e) }

// Parse returns the options in args, in order, and the remaining arguments, the operands. Options may follow
// operands unless posixly is true, as with POSIXLY_CORRECT in the environment. After "--" everything is an
// operand. Long options may be abbreviated if the abbreviation is unambiguous.
//
// Parse stops at the first [Error], and returns the options before it as well. Act on them first, because one
// of them may be --help.
func Parse(args []string, options []Option, posixly bool) (settings []Setting, operands []string, err error) {
	p := parser{options: options, rest: args}
	for len(p.rest) > 0 && err == nil {
		arg := p.rest[0]
		p.rest = p.rest[1:]
		switch {
		case arg == "--":
			return p.settings, append(operands, p.rest...), nil
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			operands = append(operands, arg)
			if posixly {
				return p.settings, append(operands, p.rest...), nil
			}
		case strings.HasPrefix(arg, "--"):
			err = p.long(arg[2:])
		default:
			err = p.cluster(arg[1:])
		}
	}
	return p.settings, operands, err
}

type parser struct {
	options  []Option
	rest     []string // the arguments that are not yet parsed
	settings []Setting
}

// long parses an option of the form NAME or NAME=VALUE.
func (p *parser) long(arg string) error {
	name, value, attached := strings.Cut(arg, "=")
	o, err := p.lookup(name, arg)
	if err != nil {
		return err
	}
	switch {
	case attached && o.Arg == NoArgument:
		return errorf("option '--%s' doesn't allow an argument", o.Long)
	case !attached && o.Arg == RequiredArgument:
		if value, attached = p.next(); !attached {
			return errorf("option '--%s' requires an argument", o.Long)
		}
	}
	p.settings = append(p.settings, Setting{o.ID, value, attached})
	return nil
}

// lookup finds the long option that name stands for. Errors show arg, the argument as given.
func (p *parser) lookup(name, arg string) (Option, error) {
	var found []Option
	for _, o := range p.options {
		switch {
		case o.Long == "" || !strings.HasPrefix(o.Long, name):
		case o.Long == name:
			return o, nil
		case o.Whole:
		case len(found) == 0 || o.ID != found[0].ID || o.Arg != found[0].Arg:
			found = append(found, o)
		}
	}
	switch len(found) {
	case 0:
		return Option{}, errorf("unrecognized option '--%s'", arg)
	case 1:
		return found[0], nil
	}
	var names strings.Builder
	for _, o := range found {
		fmt.Fprintf(&names, " '--%s'", o.Long)
	}
	return Option{}, errorf("option '--%s' is ambiguous; possibilities:%s", arg, names.String())
}

// cluster parses the short options in one argument, up to the first that takes a value.
func (p *parser) cluster(arg string) error {
	for i := range len(arg) {
		o, ok := p.short(arg[i])
		if !ok {
			return errorf("invalid option -- '%s'", arg[i:i+1])
		}
		value, hasValue := "", false
		if o.Arg != NoArgument && i+1 < len(arg) {
			value, hasValue = arg[i+1:], true
		} else if o.Arg == RequiredArgument {
			if value, hasValue = p.next(); !hasValue {
				return errorf("option requires an argument -- '%c'", o.Short)
			}
		}
		p.settings = append(p.settings, Setting{o.ID, value, hasValue})
		if hasValue {
			break
		}
	}
	return nil
}

func (p *parser) short(c byte) (Option, bool) {
	for _, o := range p.options {
		if o.Short == c {
			return o, true
		}
	}
	return Option{}, false
}

// next consumes the next argument, whatever it looks like.
func (p *parser) next() (string, bool) {
	if len(p.rest) == 0 {
		return "", false
	}
	arg := p.rest[0]
	p.rest = p.rest[1:]
	return arg, true
}

func errorf(format string, args ...any) error {
	return Error(fmt.Sprintf(format, args...))
}
