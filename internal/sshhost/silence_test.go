package sshhost

import (
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A conversation is a session that waits for answers when a test says so.
type conversation struct {
	waiting atomic.Bool
	err     atomic.Pointer[error] // why it was ended
}

func (c *conversation) Waiting() bool  { return c.waiting.Load() }
func (c *conversation) Fail(err error) { c.err.Store(&err) }

// TestSilence follows sessions second by second: the other side sends (r), takes (w), or does nothing (.). From ? on an
// answer is due, until !.
func TestSilence(t *testing.T) {
	quiet := func(seconds int) string { return strings.Repeat(".", seconds) }
	for _, c := range []struct {
		name  string
		limit time.Duration
		does  string
		want  string // what is reported, and when, and why the session has ended
	}{
		{"nothing is asked", 10 * time.Second, quiet(300), ""},
		{"no answer", 0, "?" + quiet(300), "30s no answer for 30s"},
		{"a late answer", 0, "?" + quiet(40) + "r" + quiet(20) + "r!", "30s no answer for 30s; 40s it answers again"},
		{"two silences", 0, "?" + quiet(40) + "r" + quiet(40), "30s no answer for 30s; 40s it answers again; 1m10s no answer for 30s"},
		{"a slow answer", 20 * time.Second, "?" + strings.Repeat(quiet(18)+"r", 20), ""},
		{"a slow upload", 20 * time.Second, "?" + strings.Repeat(quiet(18)+"w", 20), ""},
		{"a limit", 20 * time.Second, "?" + quiet(60), "20s no answer within 20s (--timeout)"},
		{"a limit that is longer", 90 * time.Second, "?" + quiet(200), "30s no answer for 30s; 1m30s no answer within 1m30s (--timeout)"},
		{"a limit after an answer", 40 * time.Second, "?" + quiet(35) + "r" + quiet(60), "30s no answer for 30s; 35s it answers again; 1m5s no answer for 30s; 1m15s no answer within 40s (--timeout)"},
		{"asked after a pause", 20 * time.Second, quiet(70) + "?w" + quiet(60), "1m30s no answer within 20s (--timeout)"},
		{"answered before a pause", 20 * time.Second, "?w" + quiet(5) + "r!" + quiet(100), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				var mu sync.Mutex // guards reported
				var reported []string
				note := func(text string) {
					mu.Lock()
					defer mu.Unlock()
					reported = append(reported, time.Since(begin).String()+" "+text)
				}
				s := newSilence(c.limit, note)
				session := new(conversation)
				here, there := net.Pipe()
				channel := s.hear(here)
				go func() { _, _ = io.Copy(io.Discard, there) }()
				s.begin(session)
				ended := false
				for _, does := range c.does {
					switch does {
					case '?':
						session.waiting.Store(true)
						continue
					case '!':
						session.waiting.Store(false)
						continue
					case 'r':
						go func() { _, _ = there.Write([]byte{1}) }()
						_, _ = io.ReadFull(channel, make([]byte, 1))
						continue
					case 'w':
						_, _ = channel.Write([]byte{1})
						continue
					}
					time.Sleep(time.Second)
					synctest.Wait()
					if err := session.err.Load(); err != nil && !ended {
						note((*err).Error())
						ended = true
					}
				}
				s.stop()
				if got := strings.Join(reported, "; "); got != c.want {
					t.Errorf("reported %q, want %q", got, c.want)
				}
				_, _ = here.Close(), there.Close()
			})
		})
	}
}

// TestNoticeSlow has hosts that are connected to slowly, and questions that the user answers meanwhile.
func TestNoticeSlow(t *testing.T) {
	for _, c := range []struct {
		name                 string
		before, asked, after time.Duration
		want                 string
	}{
		{"fast", 10 * time.Second, 0, 0, ""},
		{"slow", 40 * time.Second, 0, 0, "30s box: no answer for 30s"},
		{"a slow user", 20 * time.Second, 100 * time.Second, 20 * time.Second, ""},
		{"a slow user and a slow host", 20 * time.Second, 100 * time.Second, 40 * time.Second, "2m30s box: no answer for 30s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin, reported := time.Now(), ""
				d := &Dialer{}
				d.options.Notify = func(text string) { reported = time.Since(begin).String() + " " + text }
				stop := d.noticeSlow(box)
				time.Sleep(c.before)
				if c.asked > 0 {
					d.questions.add(1)
					time.Sleep(c.asked)
					d.questions.add(-1)
				}
				time.Sleep(c.after)
				synctest.Wait()
				stop()
				if reported != c.want {
					t.Errorf("reported %q, want %q", reported, c.want)
				}
			})
		})
	}
}
