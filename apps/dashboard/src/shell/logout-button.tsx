import { Button } from '../ui/button.tsx';
import { useLogout } from './use-logout.ts';

export function LogoutButton() {
  const { leave, pending } = useLogout();
  return (
    <Button kind="quiet" small icon="leave" pending={pending} onClick={leave}>
      Log out
    </Button>
  );
}
