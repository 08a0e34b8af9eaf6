import { afterAll, beforeAll, expect, test } from 'vitest'
import { define, jobKind } from '../../src/jobs/define.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { sql } from '../../src/storage/sql.ts'
import { freshDatabase } from '../support/database.ts'
import { jobs, runnerOf } from './world.ts'

const { db, drop } = await freshDatabase()
afterAll(drop)

/** The columns that version 0.18 of graphile-worker gave its tables, and jobs of every sort in them. */
const tablesOfVersion01 = `
  create schema graphile_worker;
  create table graphile_worker.migrations (
    id int primary key, ts timestamptz default now() not null, breaking boolean not null default false);
  insert into graphile_worker.migrations (id) select generate_series(1, 20);
  create table graphile_worker._private_tasks (id int primary key, identifier text not null unique);
  create table graphile_worker._private_job_queues (id int primary key, queue_name text not null unique);
  create table graphile_worker._private_known_crontabs (
    identifier text primary key, known_since timestamptz not null, last_execution timestamptz);
  create table graphile_worker._private_jobs (
    id bigint primary key, job_queue_id int, task_id int not null, payload json not null, run_at timestamptz not null,
    attempts smallint default 0 not null, max_attempts smallint default 25 not null, last_error text,
    created_at timestamptz default now() not null, key text unique, locked_at timestamptz, locked_by text);
  create function graphile_worker.add_job(identifier text, payload json default null, queue_name text default null,
      run_at timestamptz default null, max_attempts integer default null, job_key text default null,
      priority integer default null, flags text[] default null, job_key_mode text default 'replace')
    returns graphile_worker._private_jobs language sql as 'select null::graphile_worker._private_jobs';

  insert into graphile_worker._private_tasks values (1, 'greet'), (2, 'import');
  insert into graphile_worker._private_job_queues values (1, 'import:0');
  insert into graphile_worker._private_known_crontabs values
    ('daily', '2020-01-01', '2026-02-03 04:00Z'), ('new', '2026-01-01 00:00Z', null);
  insert into graphile_worker._private_jobs (id, task_id, job_queue_id, payload, run_at, key) values
    (1, 1, null, '{"name": "ready"}', now() - interval '1 minute', null),
    (2, 1, null, '{"name": "in an hour"}', now() + interval '1 hour', 'greet:a key'),
    (3, 2, 1, '{"name": "in a queue"}', now() - interval '1 minute', null);
  insert into graphile_worker._private_jobs (id, task_id, payload, run_at, attempts, max_attempts, last_error) values
    (4, 1, '{"name": "failed"}', now() + interval '1 minute', 3, 25, 'not now'),
    (5, 1, '{"name": "given up"}', now() - interval '1 day', 25, 25, 'never');
  insert into graphile_worker._private_jobs (id, task_id, payload, run_at, attempts, locked_at, locked_by) values
    (6, 1, '{"name": "running"}', now() - interval '1 minute', 25, now(), 'pool-1');`

beforeAll(async () => {
  await db.withClient(async (client) => {
    await client.query(`
      drop table jobs, job_schedules;
      drop function leave_key_to_newer_job;
      delete from schema_migrations where name like '%\\_jobs.sql'`)
    await client.query(tablesOfVersion01)
  })
  await migrate(db)
})

test('an update carries over every job that waits, runs or was given up, and nothing else is left of its tables', async () => {
  expect(await jobs(db)).toMatchObject([
    { kind: 'greet', payload: { name: 'ready' }, state: 'ready', failures: 0 },
    { kind: 'greet', payload: { name: 'in an hour' }, state: 'waiting', failures: 0 },
    { kind: 'import', payload: { name: 'in a queue' }, state: 'ready', failures: 0 },
    { kind: 'greet', payload: { name: 'failed' }, state: 'waiting', failures: 3, lastError: 'not now' },
    { kind: 'greet', payload: { name: 'given up' }, state: 'ended', failures: 25, lastError: 'never' },
    { kind: 'greet', payload: { name: 'running' }, state: 'ready', failures: 24 },
  ])
  expect((await jobs(db))[1]!.dueInSeconds).toBeCloseTo(3_600, -2)
  expect(await db.all(sql`select kind, due_at as "dueAt" from job_schedules order by kind`)).toEqual([
    { kind: 'daily', dueAt: new Date('2026-02-03T04:00:00Z') },
    { kind: 'new', dueAt: new Date('2026-01-01T00:00:00Z') },
  ])
  expect(await db.all(sql`select tablename as name from pg_tables where schemaname = 'graphile_worker'`)).toEqual([
    { name: 'migrations' },
  ])
})

test('what a node of version 0.1 enqueues beside a new one runs, and takes the place of what waits under its key', async () => {
  // As that version asks.
  const add = (name: string, key: string | null, queue: string | null) =>
    db.all(sql`
      select from graphile_worker.add_job(
        identifier => ${queue === null ? 'greet' : 'import'},
        payload => ${JSON.stringify({ name })}::json,
        queue_name => ${queue},
        run_at => coalesce(${null}::timestamptz - (clock_now() - now()), now()) + ${0} * interval '1 ms',
        max_attempts => ${25},
        job_key => ${key})`)
  await add('from an older node', null, null)
  await add('in an hour, or now', 'greet:a key', null)
  await add('queued by an older node', null, 'import:0')
  const ran: string[] = []
  const handlers = ['greet', 'import'].map((kind) =>
    define(jobKind<{ name: string }>(kind), async ({ name }) => void ran.push(name)),
  )
  await runnerOf(db, handlers).runOnce()
  expect(ran.toSorted()).toEqual([
    'from an older node',
    'in a queue',
    'in an hour, or now',
    'queued by an older node',
    'ready',
    'running',
  ])
})
