import { useId } from 'react';
import { Cypress, createArchesPath, Drawing, Tree } from './drawing.tsx';

/** The quad at sunset: hills, a brick hall with its tower, arcades on both sides, crossing paths. */
export function CampusScene() {
  const id = useId();
  return (
    <Drawing width={1440} height={400} slice="xMidYMax">
      <defs>
        <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className="[stop-color:var(--color-scene-sky)]" />
          <stop offset="0.75" className="[stop-color:var(--color-scene-sky-low)]" />
        </linearGradient>
      </defs>
      <path d="M0 0h1440v400H0z" fill={`url(#${id})`} />
      <circle cx="770" cy="212" r="118" className="fill-scene-sun" opacity="0.25" />
      <circle cx="770" cy="212" r="66" className="fill-scene-sun" />
      <g className="fill-scene-sun" opacity="0.4">
        <path d="M1120 84c22-14 50-12 66 2 26-6 50 2 60 14h-170c8-10 24-18 44-16z" />
        <path d="M270 66c18-12 44-10 58 2 22-5 42 2 52 12H232c6-9 20-15 38-14z" />
      </g>
      <path
        d="M0 262c120-66 250-72 360-30 90-40 210-48 330-8 110-56 260-60 380-10 120-46 260-44 370 12v94H0z"
        className="fill-scene-hill"
        opacity="0.55"
      />
      <path
        d="M0 288c160-40 300-34 440-8 180-36 380-34 560-2 150-28 310-24 440 10v40H0z"
        className="fill-scene-hill-near"
        opacity="0.75"
      />
      <MainHall />
      <BuildingWing x={-40} />
      <BuildingWing x={1110} />
      <path d="M0 318h1440v82H0z" className="fill-scene-lawn" />
      <path
        d="M60 318 -60 400h130l90-82zM270 318l-70 82h130l40-82zM480 318l-26 82h130l0-82zM860 318l20 82h130l-50-82zM1070 318l70 82h130l-100-82zM1280 318l120 82h140l-160-82z"
        className="fill-scene-lawn-stripe"
      />
      <path d="M690 318h60l150 82H540z" className="fill-scene-path" />
      <path
        d="M0 372c420-22 1020-22 1440 0v14c-420-22-1020-22-1440 0z"
        className="fill-scene-path"
        opacity="0.85"
      />
      <Cypress x={452} y={322} scale={1.25} />
      <Cypress x={500} y={320} scale={0.95} />
      <Cypress x={1002} y={322} scale={1.25} />
      <Cypress x={954} y={320} scale={0.95} />
      <Tree x={88} y={346} scale={1.9} />
      <Tree x={356} y={334} scale={1.25} />
      <Tree x={1116} y={336} scale={1.4} />
      <Tree x={1350} y={350} scale={2} />
      <Students />
    </Drawing>
  );
}

function MainHall() {
  return (
    <g>
      <path d="M540 208h360v112H540z" className="fill-scene-brick" />
      <path d="M524 210 556 182h328l32 28z" className="fill-scene-roof" />
      <path d="M540 210h360v9H540z" className="fill-scene-stone" />
      <path d="M672 92h96v228h-96z" className="fill-scene-brick" />
      <path d="M736 92h32v228h-32z" className="fill-scene-brick-shade" />
      <path d="M664 84h112v12H664z" className="fill-scene-stone" />
      <path d="M664 84 720 34l56 50z" className="fill-scene-roof" />
      <path d="M717 12h6v28h-6z" className="fill-scene-trunk" />
      <path d="M723 13h30l-9 8 9 8h-30z" className="fill-gold" />
      <circle cx="720" cy="132" r="20" className="fill-scene-stone" />
      <path
        d="M720 120v12l9 6"
        fill="none"
        strokeWidth="3"
        className="stroke-scene-roof"
        strokeLinecap="round"
      />
      <path d={createArchesPath(684, 206, 3, 18, 36, 9)} className="fill-scene-window" />
      <path d="M686 320v-44a34 34 0 0 1 68 0v44z" className="fill-scene-stone" />
      <path d="M696 320v-42a24 24 0 0 1 48 0v42z" className="fill-scene-window" />
      <path d={createArchesPath(556, 262, 4, 16, 28, 10)} className="fill-scene-window" />
      <path d={createArchesPath(782, 262, 4, 16, 28, 10)} className="fill-scene-window" />
      <path d="M540 274h128v46H540zM772 274h128v46H772z" className="fill-scene-stone" />
      <path d={createArchesPath(548, 320, 4, 22, 38, 9)} className="fill-scene-brick-shade" />
      <path d={createArchesPath(780, 320, 4, 22, 38, 9)} className="fill-scene-brick-shade" />
    </g>
  );
}

function BuildingWing({ x }: { x: number }) {
  return (
    <g transform={`translate(${x} 0)`}>
      <path d="M0 226h370v96H0z" className="fill-scene-brick-shade" />
      <path d="M-14 228 14 204h342l28 24z" className="fill-scene-roof" />
      <path d={createArchesPath(22, 256, 11, 13, 20, 18)} className="fill-scene-window" />
      <path d="M0 266h370v56H0z" className="fill-scene-stone" />
      <path d={createArchesPath(10, 322, 11, 25, 46, 7.5)} className="fill-scene-brick" />
    </g>
  );
}

/** Three small figures on the grass: somebody reading, two meeting to hand something over. */
function Students() {
  return (
    <g>
      <path d="M938 384c0-16 4-22 11-22s11 6 11 22z" className="fill-brand" />
      <circle cx="949" cy="354" r="7" className="fill-scene-trunk" />
      <path d="M984 384c0-16 4-22 11-22s11 6 11 22z" className="fill-scene-metal" />
      <circle cx="995" cy="354" r="7" className="fill-scene-wood" />
      <path d="M963 364h18v14h-18z" className="fill-gold" />
      <path d="M963 369h18v3h-18z" className="fill-scene-wood" />
      <path d="M428 390c0-14 5-19 12-19 6 0 10 4 11 10l18 2v7z" className="fill-scene-cloth" />
      <circle cx="440" cy="364" r="7" className="fill-scene-trunk" />
      <path d="m452 376 12-5 3 8-12 5z" className="fill-brand" />
    </g>
  );
}
