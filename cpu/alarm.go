package cpu

// An alarm is how devices outside the processor do something in a cycle of their own: between two
// instructions, and while the core sleeps.

// SetAlarm makes the processor call OnAlarm in the first cycle from at on in which an instruction can
// begin; 0 is never. It replaces the alarm before.
func (c *CPU) SetAlarm(at uint64) {
	c.alarm = at
	c.Attention()
}

// ring calls the alarm when it is due.
func (c *CPU) ring() {
	if c.alarm == 0 || c.Cycles < c.alarm {
		return
	}
	c.alarm = 0
	if c.OnAlarm != nil {
		c.calm = false
		c.OnAlarm()
	}
}
