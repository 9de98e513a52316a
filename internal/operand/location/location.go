// Package location parses operands: paths on this host, and on hosts that are reached by ssh.
package location

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// A Location is the host and path of an operand.
type Location struct {
	Account Account // zero for this host
	// Path is the path on the host. On another host, a path without a leading slash is relative to the user's
	// home directory, and "" is the home directory itself; there are no further leading slashes.
	Path string
}

// An Account is a user's account on a host that is reached by ssh.
type Account struct {
	User string // "" if ssh's configuration decides
	Host string // a name in ssh's configuration, or an address; "" is this host
	Port int    // 0 if ssh's configuration decides
	SFTP bool   // use only the SFTP protocol
}

// IsHere reports whether r is this host.
func (r Account) IsHere() bool { return r.Host == "" }

// String returns r as users write it.
func (r Account) String() string {
	if r.IsHere() {
		return "this host"
	}
	s := r.Host
	if strings.Contains(s, ":") {
		s = "[" + s + "]"
	}
	if r.Port != 0 {
		s += ":" + strconv.Itoa(r.Port)
	}
	if r.User != "" {
		s = r.User + "@" + s
	}
	return s
}

// Reasons why an operand is refused. They are wrapped in an [Error].
var (
	ErrRsync     = errors.New("is an address of an rsync daemon; psync speaks to sshd: [USER@]HOST:PATH or ssh://")
	ErrScheme    = errors.New("is a URL of another kind than ssh:// and sftp://; a path after HOST: begins with one slash")
	ErrNoHost    = errors.New("names no host before the colon")
	ErrBadHost   = errors.New("has a host name that no host can have")
	ErrBadUser   = errors.New("has a user name that no user can have")
	ErrPassword  = errors.New("contains a password, which other users could see; ssh asks for it, or uses a key")
	ErrBadPort   = errors.New("has a port that is not a number from 1 to 65535")
	ErrOtherHome = errors.New("begins with another user's home directory; give its path, or connect as that user")
	ErrEscape    = errors.New("has a percent sign that two hexadecimal digits do not follow, or stands for a NUL; a percent sign itself is %25")
	ErrExtra     = errors.New("has a query or a fragment; in a URL, ? is %3F and # is %23")
)

// An Error describes why an operand is refused.
type Error struct {
	Operand string // without a password
	Err     error
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Operand, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// Parse parses an operand. Operands on other hosts have the forms
//
//	[USER@]HOST:PATH                       relative to the home directory
//	ssh://[USER@]HOST[:PORT]/PATH          absolute
//	ssh://[USER@]HOST[:PORT]/~/PATH        relative to the home directory
//	sftp://...                             likewise, by the SFTP protocol
//
// An IPv6 address as HOST is enclosed in brackets. Only URLs contain percent escapes. Everything else is a
// path of this host, as are names with a colon after a slash: ./a:b.
func Parse(operand string) (Location, error) {
	l, err := parse(operand)
	if err != nil {
		return Location{}, &Error{masked(operand), err}
	}
	return l, nil
}

// masked returns an operand without the password that it may contain, because messages end up in logs.
func masked(operand string) string {
	scheme, rest, isURL := strings.Cut(operand, "://")
	authority, _, _ := strings.Cut(rest, "/")
	user, _, _ := cutUser(authority)
	name, password, found := strings.Cut(user, ":")
	if !isURL || strings.Contains(scheme, "/") || !found {
		return operand
	}
	return scheme + "://" + name + ":***" + rest[len(name)+len(":")+len(password):]
}

func parse(operand string) (Location, error) {
	scheme, rest, isURL := strings.Cut(operand, "://")
	if !isURL || strings.Contains(scheme, "/") {
		return parseColon(operand)
	}
	switch scheme = strings.ToLower(scheme); scheme {
	case "ssh", "sftp":
		return parseURL(rest, scheme == "sftp")
	case "rsync":
		return Location{}, ErrRsync
	}
	return Location{}, ErrScheme
}

// parseColon parses an operand without a scheme.
func parseColon(operand string) (Location, error) {
	account, path, found := cutAccount(operand)
	if !found {
		return Location{Path: operand}, nil
	}
	if strings.HasPrefix(path, ":") {
		return Location{}, ErrRsync
	}
	user, host, hasUser := cutUser(account)
	if hasUser && user == "" {
		return Location{}, ErrBadUser
	}
	if i := strings.IndexByte(host, ']'); strings.HasPrefix(host, "[") && i == len(host)-1 {
		if host = host[1:i]; !isIPv6(host) {
			return Location{}, ErrBadHost
		}
	}
	return newLocation(Account{User: user, Host: host}, path)
}

// cutAccount cuts an operand at the colon that ends [USER@]HOST. There is none if a slash comes first.
func cutAccount(operand string) (account, path string, found bool) {
	first, _, _ := strings.Cut(operand, "/")
	start := 0
	if at := strings.IndexByte(first, '['); at == 0 || at > 0 && first[at-1] == '@' {
		if end := strings.IndexByte(first, ']'); end > at {
			start = end
		}
	}
	i := strings.IndexByte(first[start:], ':')
	if i < 0 {
		return "", "", false
	}
	return operand[:start+i], operand[start+i+1:], true
}

// CutHost cuts an operand on another host, but for a URL, behind the colon that ends [USER@]HOST.
func CutHost(operand string) (host, path string, found bool) {
	scheme, _, isURL := strings.Cut(operand, "://")
	account, path, found := cutAccount(operand)
	if !found || isURL && !strings.Contains(scheme, "/") {
		return "", operand, false
	}
	return account + ":", path, true
}

// cutUser cuts USER@HOST. A user may contain an at sign, a host may not.
func cutUser(account string) (user, host string, found bool) {
	i := strings.LastIndexByte(account, '@')
	if i < 0 {
		return "", account, false
	}
	return account[:i], account[i+1:], true
}

// parseURL parses what follows the scheme of a URL.
func parseURL(rest string, sftp bool) (Location, error) {
	authority, path, hasPath := strings.Cut(rest, "/")
	if strings.ContainsAny(rest, "?#") {
		return Location{}, ErrExtra
	}
	user, host, hasUser := cutUser(authority)
	r := Account{SFTP: sftp}
	if strings.Contains(user, ":") {
		return Location{}, ErrPassword
	}
	var err error
	if r.User, err = unescape(user); err != nil {
		return Location{}, err
	}
	if hasUser && user == "" {
		return Location{}, ErrBadUser
	}
	port, hasPort := "", false
	if strings.HasPrefix(host, "[") {
		end := strings.IndexByte(host, ']')
		if end < 0 {
			return Location{}, ErrBadHost
		}
		host, port = host[1:end], host[end+1:]
		if port, hasPort = strings.CutPrefix(port, ":"); !hasPort && port != "" {
			return Location{}, ErrBadHost
		}
		if host, err = unescape(host); err != nil {
			return Location{}, err
		}
		if !isIPv6(host) {
			return Location{}, ErrBadHost
		}
	} else if host, port, hasPort = strings.Cut(host, ":"); strings.Contains(port, ":") {
		return Location{}, ErrBadHost // an IPv6 address without brackets
	}
	r.Host = host
	if hasPort {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return Location{}, ErrBadPort
		}
		r.Port = int(n)
	}
	if path, err = unescape(path); err != nil {
		return Location{}, err
	}
	switch {
	case path == "~" || strings.HasPrefix(path, "~/"): // of the home directory
	case strings.HasPrefix(path, "~"):
		return Location{}, ErrOtherHome
	case hasPath && path != "":
		path = "/" + path
	case hasPath && strings.HasSuffix(rest, "/"):
		path = "/"
	}
	return newLocation(r, path)
}

// newLocation performs the checks for both forms.
func newLocation(r Account, path string) (Location, error) {
	switch {
	case r.Host == "":
		return Location{}, ErrNoHost
	case !isHost(r.Host):
		return Location{}, ErrBadHost
	case r.User != "" && !isUser(r.User):
		return Location{}, ErrBadUser
	}
	if rest, tilde := strings.CutPrefix(path, "~"); tilde {
		if rest != "" && rest[0] != '/' {
			return Location{}, ErrOtherHome
		}
		path = strings.TrimLeft(rest, "/")
	}
	if strings.HasPrefix(path, "//") { // HOST://PATH would be another URL
		path = "/" + strings.TrimLeft(path, "/")
	}
	return Location{Account: r, Path: path}, nil
}

// isHost reports whether a host can have this name or address. ssh would interpret a leading hyphen as an
// option.
func isHost(host string) bool {
	if isIPv6(host) {
		return true
	}
	return !strings.HasPrefix(host, "-") && !strings.ContainsFunc(host, func(r rune) bool {
		return isBlank(r) || strings.ContainsRune(`"'$%&()*:;<=>?@[\]^{|}~`+"`", r)
	})
}

// isUser reports whether a user can have this name.
func isUser(user string) bool {
	return !strings.HasPrefix(user, "-") && !strings.ContainsFunc(user, func(r rune) bool {
		return isBlank(r) || strings.ContainsRune(`"'$&()*;<>?[\]{|}`+"`", r)
	})
}

// isIPv6 reports whether host is an IPv6 address, perhaps with a zone.
func isIPv6(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Is6() && !strings.ContainsFunc(addr.Zone(), func(r rune) bool {
		return isBlank(r) || strings.ContainsRune(`"'$&;<>|`+"`", r)
	})
}

// isBlank reports whether r is a space or a control character, not only one of ASCII.
func isBlank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

func unescape(s string) (string, error) {
	s, err := url.PathUnescape(s)
	if err != nil || strings.ContainsRune(s, 0) {
		return "", ErrEscape
	}
	return s, nil
}
