import { expect, it } from 'vitest';
import { heapFlags, memoryOf, postgresSettings } from './memory.ts';

it('the memory of the stack is that of MEMORY_MB, or what this machine or its container has', () => {
  expect(memoryOf({ MEMORY_MB: '2048' })).toBe(2_048);
  expect(memoryOf({})).toBeGreaterThan(0);
});

it('the settings of the embedded PostgreSQL follow the memory, within limits', () => {
  expect(postgresSettings(2_048)).toEqual({
    shared_buffers: '128MB',
    effective_cache_size: '1024MB',
    work_mem: '4MB',
    maintenance_work_mem: '64MB',
    max_connections: 60,
    max_parallel_workers_per_gather: 0,
    max_parallel_maintenance_workers: 0,
  });
  expect(postgresSettings(256)).toMatchObject({ shared_buffers: '32MB', maintenance_work_mem: '32MB' });
  expect(postgresSettings(65_536)).toMatchObject({
    shared_buffers: '2048MB',
    maintenance_work_mem: '512MB',
    max_connections: 200,
  });
});

it('HEAP_MB replaces the heap of the product and not that of the mailbox', () => {
  expect(heapFlags('worker', {})).toEqual(['--max-old-space-size=384', '--max-semi-space-size=8']);
  expect(heapFlags('api', { HEAP_MB: '700' })[0]).toBe('--max-old-space-size=700');
  expect(heapFlags('delivery', { HEAP_MB: '700' })).toEqual([
    '--max-old-space-size=700',
    '--max-semi-space-size=16',
  ]);
  expect(heapFlags('mailbox', { HEAP_MB: '700' })).toEqual([
    '--max-old-space-size=256',
    '--max-semi-space-size=2',
  ]);
});
