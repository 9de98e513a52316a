package queue

import (
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzTexts wants names of any bytes to survive.
func FuzzTexts(f *testing.F) {
	f.Add(0, "a/b", "umask", "0022")
	f.Add(-1, "\xff:\x00", ":", "")
	f.Fuzz(func(t *testing.T, root int, path, name, value string) {
		type message struct {
			ID    ID
			Dirs  []Dir
			Facts Facts
		}
		want := message{NewID(), []Dir{{root, path}}, Facts{{name, value}}}
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got message
		if err := json.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	})
}

func TestInvalidTexts(t *testing.T) {
	for text, into := range map[string]any{
		`"00"`: new(ID), `"00112233445566778899aabbccddeegg"`: new(ID), `""`: new(Dir), `"a:YQ=="`: new(Dir), `"0:a"`: new(Dir),
		`"?:YQ=="`: new(Fact), `"YQ==:?"`: new(Fact),
	} {
		if err := json.Unmarshal([]byte(text), into); err == nil {
			t.Errorf("%s is %+v", text, into)
		}
	}
}
