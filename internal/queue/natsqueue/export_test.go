package natsqueue

// StopFollowing has a queue receive nothing more until it begins anew.
func StopFollowing(q *Queue) {
	q.follower.mu.Lock()
	defer q.follower.mu.Unlock()
	q.follower.stop()
}
