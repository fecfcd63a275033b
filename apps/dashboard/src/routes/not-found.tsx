import { Link } from 'react-router';
import { paths } from '../lib/paths.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';

export function NotFoundRoute() {
  return (
    <Page title="Page not found" narrow>
      <EmptyState title="We couldn't find this page">
        <Link to={paths.home}>Go to your projects</Link>
      </EmptyState>
    </Page>
  );
}
