import { Drawing, LawnPatch, Tree } from './drawing.tsx';

/** A magnifying glass over an empty lawn. */
export function NothingFoundIllustration() {
  return (
    <Drawing width={240} height={180}>
      <LawnPatch />
      <Tree x={48} y={148} scale={0.85} />
      <path d="m150 112 34 34" strokeWidth="13" strokeLinecap="round" className="stroke-scene-wood" />
      <circle cx="120" cy="80" r="46" className="fill-scene-sky-low" />
      <path d="M78 98c26-14 58-14 84-2a46 46 0 0 1-84 2z" className="fill-scene-lawn" />
      <path d="m104 92-12 20 12 8 14-30zM134 90l8 32 14-10-8-21z" className="fill-scene-lawn-stripe" />
      <circle cx="136" cy="66" r="9" className="fill-scene-sun" />
      <circle cx="120" cy="80" r="46" fill="none" strokeWidth="9" className="stroke-brand" />
      <path
        d="M92 70c3-12 11-19 22-22"
        fill="none"
        strokeWidth="5"
        strokeLinecap="round"
        className="stroke-white"
        opacity="0.75"
      />
    </Drawing>
  );
}

/** A market stall waiting for its goods. */
export function NoListingsIllustration() {
  return (
    <Drawing width={240} height={180}>
      <LawnPatch />
      <path d="M62 60h6v92h-6zM172 60h6v92h-6z" className="fill-scene-trunk" />
      <path d="M56 112h128v14H56z" className="fill-scene-wood" />
      <path d="M62 126h116v26H62z" className="fill-scene-cloth" />
      <path d="M62 126h116v6H62z" className="fill-scene-trunk" opacity="0.25" />
      <path d="M60 30h120l14 36H46z" className="fill-scene-cloth" />
      <path d="M60 30h24l-9 36H46zM108 30h24l5 36h-34zM156 30h24l14 36h-29z" className="fill-brand" />
      <path
        d="M46 66h29a14.5 12 0 0 1-29 0zM103 66h34a17 12 0 0 1-34 0zM165 66h29a14.5 12 0 0 1-29 0z"
        className="fill-brand"
      />
      <path d="M75 66h28a14 12 0 0 1-28 0zM137 66h28a14 12 0 0 1-28 0z" className="fill-scene-cloth" />
      <path d="M102 90h36v22h-36z" className="fill-gold" />
      <path d="M117 90h6v22h-6z" className="fill-scene-wood" />
      <path d="M102 90l-8-8h36l8 8zM138 90l8-8h-8z" className="fill-gold-hover" />
    </Drawing>
  );
}

/** Two speech bubbles under a tree. */
export function NoMessagesIllustration() {
  return (
    <Drawing width={240} height={180}>
      <LawnPatch />
      <Tree x={196} y={150} scale={1.15} />
      <path
        d="M44 34h86a16 16 0 0 1 16 16v28a16 16 0 0 1-16 16H76l-20 18V94H44a16 16 0 0 1-16-16V50a16 16 0 0 1 16-16z"
        className="fill-brand"
      />
      <path
        d="M48 56h74M48 72h48"
        strokeWidth="7"
        strokeLinecap="round"
        className="stroke-on-brand"
        opacity="0.85"
      />
      <path
        d="M104 88h66a14 14 0 0 1 14 14v22a14 14 0 0 1-14 14h-6v15l-18-15h-42a14 14 0 0 1-14-14v-22a14 14 0 0 1 14-14z"
        className="fill-gold"
      />
      <g className="fill-on-gold">
        <circle cx="118" cy="113" r="5.5" />
        <circle cx="137" cy="113" r="5.5" />
        <circle cx="156" cy="113" r="5.5" />
      </g>
    </Drawing>
  );
}

/** A signpost where the paths cross. */
export function NotFoundIllustration() {
  return (
    <Drawing width={240} height={180}>
      <LawnPatch />
      <path
        d="M24 158c60-14 132-14 192-4l-4 8c-60-10-124-8-182 4zM112 172l4-44h12l14 44z"
        className="fill-scene-path"
      />
      <Tree x={40} y={146} scale={0.8} />
      <path d="M114 28h12v124h-12z" className="fill-scene-trunk" />
      <circle cx="120" cy="25" r="9" className="fill-gold" />
      <path d="M102 40h76l16 14-16 14h-76z" className="fill-brand" />
      <path d="M138 78H62L46 92l16 14h76z" className="fill-gold" />
      <path d="M106 114h58l12 11-12 11h-58z" className="fill-scene-cloth" />
      <path d="M116 54h46" strokeWidth="6" strokeLinecap="round" className="stroke-on-brand" opacity="0.85" />
      <path d="M76 92h48" strokeWidth="6" strokeLinecap="round" className="stroke-on-gold" opacity="0.5" />
      <path d="M118 125h36" strokeWidth="5" strokeLinecap="round" className="stroke-scene-wood" />
    </Drawing>
  );
}
