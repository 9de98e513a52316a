package cpflags

import (
	"strings"

	"psync/internal/getopt"
)

// A Kind says which names of files can stand where a word is completed.
type Kind uint8

// Kinds of names.
const (
	NoFiles Kind = iota
	Files
	Directories
)

// Complete returns what the last word of a command line can become, after args. After "--NAME=" it returns values
// without the name.
func Complete(args []string, word string) ([]string, Kind) {
	operandsOnly := false
	var pending *option // the option that the last argument leaves without its value
	for _, arg := range args {
		if pending != nil || operandsOnly {
			pending = nil
			continue
		}
		operandsOnly = arg == "--"
		pending = lacksValue(arg)
	}
	name, value, isLong := strings.Cut(word, "=")
	switch {
	case pending != nil:
		return pending.complete(word)
	case operandsOnly || !strings.HasPrefix(word, "-"):
		return nil, Files
	case isLong:
		for _, o := range options {
			if "--"+o.long == name {
				return o.complete(value)
			}
		}
		return nil, NoFiles
	}
	return names(word), NoFiles
}

// lacksValue returns the option of which the value is the argument after arg, or nil.
func lacksValue(arg string) *option {
	if !strings.HasPrefix(arg, "-") || arg == "-" {
		return nil
	}
	for i := range options {
		o := &options[i]
		switch {
		case strings.HasPrefix(arg, "--"):
			if o.arg == required && arg == "--"+o.long {
				return o
			}
		case o.short == 0 || o.arg != required:
		case strings.IndexByte(arg[1:], o.short) == len(arg)-2: // the rest would be the value
			return o
		}
	}
	return nil
}

// names returns the options that begin with word.
func names(word string) []string {
	var all []string
	add := func(name string) {
		if strings.HasPrefix(name, word) {
			all = append(all, name)
		}
	}
	for _, o := range options {
		if o.short != 0 {
			add("-" + string(o.short))
		}
		if o.long != "" {
			add("--" + o.long)
		}
	}
	return all
}

// complete returns the values of an option that begin with value.
func (o option) complete(value string) ([]string, Kind) {
	list := "" // of words before the last
	switch o.long {
	case "target-directory":
		return nil, Directories
	case "preserve", "no-preserve":
		list = value[:strings.LastIndexByte(value, ',')+1]
	}
	if o.words == nil {
		return nil, NoFiles
	}
	var all []string
	for _, word := range o.words() {
		if strings.HasPrefix(list+word, value) {
			all = append(all, list+word)
		}
	}
	return all, NoFiles
}

func namesOf[T comparable](among []getopt.Word[T]) []string {
	var all []string
	for _, word := range among {
		all = append(all, word.Name)
	}
	return all
}
