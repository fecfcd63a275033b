import { createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useProjectPath } from '../lib/current.ts';
import { creatorOf, type ShortcutTarget } from './shortcuts.rules.ts';
import { useShortcuts } from './use-shortcuts.ts';

const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));
const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }));

const OpenPalette = createContext<() => void>(() => undefined);

/** Opens the command palette. Only below `PaletteHost`. */
export const useOpenPalette = () => useContext(OpenPalette);

/** Holds the command palette and the shortcuts of a project's pages. */
export function PaletteHost({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<'palette' | 'help' | null>(null);
  const to = useProjectPath();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const follow = (target: ShortcutTarget) => {
    if (target === 'help') return setShown('help');
    const page = target === 'create' ? creatorOf(pathname.slice(to().length + 1)) : target.page;
    if (page !== null) void navigate(to(page));
  };
  useShortcuts({
    onPalette: () => setShown((now) => (now === 'palette' ? null : 'palette')),
    onShortcut: follow,
  });
  const close = () => setShown(null);
  return (
    <OpenPalette value={() => setShown('palette')}>
      {children}
      <Suspense>
        {shown === 'palette' && <CommandPalette onHelp={() => setShown('help')} onClose={close} />}
        {shown === 'help' && <ShortcutList onClose={close} />}
      </Suspense>
    </OpenPalette>
  );
}
