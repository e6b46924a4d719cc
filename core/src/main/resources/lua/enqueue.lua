#!lua
--[[
  enqueue - let a job wait in a lane

  KEYS[1]  queue:{s}:<lane>  LIST  job lines, oldest at the tail
  KEYS[2]  queue:{s}:stats   HASH  counters of the shard
  ARGV[1]  now               epoch ms, empty = the server's clock
  ARGV[2]  job               '<type>.<version> <field> ...', see JobCodec.java

  Returns  how many wait in the lane; refused by the server when its memory is full: that is the back-pressure
  Holds    enqueued = done + waiting + in flight + delayed + dead + dropped
]]
--#include now
--#include enqueue
return enqueue(KEYS[1], KEYS[2], now_ms(ARGV[1]), ARGV[2])
