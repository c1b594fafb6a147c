export const pageStyle = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h2 { margin: 2rem 0 0.5rem; }
h3 { margin: 0.75rem 0 0; font-size: 1rem; }
details { border: 1px solid var(--line); border-radius: 8px; margin: 0.4rem 0; padding: 0 0.9rem; }
summary { cursor: pointer; padding: 0.5rem 0; overflow-wrap: anywhere; }
code, pre { font: 0.875rem/1.5 ui-monospace, monospace; }
summary code { font-weight: 600; }
.get { color: #2f7d4f; }
.post { color: #2f6fb0; }
.put { color: #a8701a; }
.delete { color: #b8433a; }
pre { overflow-x: auto; border-left: 3px solid var(--line); padding: 0.25rem 0.75rem; margin: 0.4rem 0; }
`;
