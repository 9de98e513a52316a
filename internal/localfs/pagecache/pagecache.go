// Package pagecache reads and writes files without filling the page cache of the system, if that is wanted.
package pagecache
