#!lua flags=allow-oom
--[[
  settle - acknowledge a whole batch: failures go to the delayed jobs or to the dead letters, continuations into their lanes, all others are done

  KEYS[1]  queue:{s}:leases        ZSET  batch by deadline, epoch ms
  KEYS[2]  queue:{s}:batch:<name>  LIST  the jobs of the batch
  KEYS[3]  queue:{s}:stats         HASH  counters of the shard
  KEYS[4]  queue:{s}:delayed       ZSET  job by due time, epoch ms
  KEYS[5]  queue:{s}:dead          ZSET  dead letter by time of death, epoch ms
  KEYS[6..8] queue:{s}:high, :normal, :low  LIST  lanes for continuations
  KEYS[9..] status:{s}:p           HASH  statuses of which the jobs have written: without one of them nothing is done
  ARGV[1]  now                     epoch ms, empty = the server's clock
  ARGV[2]  name                    of the batch
  ARGV[3]  keep                    dead letters at most; beyond it jobs are put off
  ARGV[4]  age                     ms that a dead letter is kept
  ARGV[5]  failures                how many triples follow: place of the job in the batch from 1, 'retry' | 'later' | 'dead', delay in ms and reason | reason
  ARGV[..] continuations           pairs after the failures: lane 1..3, job

  Returns  1, or 0 = LOST: the lease had been taken away, nothing was done, the jobs run elsewhere; 2 = GONE: one of the statuses is not in Redis or is a tombstone, nothing was done
  Holds    as in fetch and enqueue; a continuation waits exactly when the job it continues is gone
]]
--#include now
--#include queue
--#include enqueue
--#include settle
local leases, batch, stats, delayed, dead, high, normal, low = unpack(KEYS)
local q =
  { leases = leases, batch = batch, stats = stats, delayed = delayed, dead = dead, lanes = { high, normal, low } }
return settle(q, now_ms(ARGV[1]), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), 5, 9)
