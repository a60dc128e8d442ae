import { Drawing, LawnPatch, Tree } from './drawing.tsx';

/** A radio mast on the lawn with broken waves. */
export function NoConnectionIllustration() {
  return (
    <Drawing width={240} height={180}>
      <LawnPatch />
      <Tree x={52} y={152} scale={0.8} />
      <path d="M98 154 116 74h8l18 80h-9l-4-18h-18l-4 18z" className="fill-scene-metal" />
      <path d="M113 122h14l-3-14h-8z" className="fill-scene-lawn" />
      <circle cx="120" cy="66" r="10" className="fill-gold" />
      <g fill="none" strokeWidth="7" strokeLinecap="round" strokeDasharray="1 13" className="stroke-brand">
        <path d="M92 84a32 32 0 0 1 0-40M148 44a32 32 0 0 1 0 40" />
        <path d="M70 96a56 56 0 0 1 0-66M170 30a56 56 0 0 1 0 66" />
      </g>
    </Drawing>
  );
}
