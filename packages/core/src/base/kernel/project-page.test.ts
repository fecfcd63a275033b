import { expect, it } from 'vitest';
import { projectPage } from './project-page.ts';

it('the dashboard keeps the pages of a project under /p/', () => {
  const config = { DASHBOARD_URL: 'https://app.example.com' };
  expect(projectPage(config, 'an-id')).toBe('https://app.example.com/p/an-id');
  expect(projectPage(config, 'an-id', 'webhooks')).toBe('https://app.example.com/p/an-id/webhooks');
});
