export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 20 20" style={{ flex: 'none' }}>
      <rect width="20" height="20" rx="5" fill="var(--brand)" />
      <path
        d="M4.5 6.5h11v7h-11z M4.5 7l5.5 4 5.5-4"
        fill="none"
        stroke="#f7f6f2"
        strokeWidth="1.4"
        strokeLinejoin="round"
      />
    </svg>
  );
}
