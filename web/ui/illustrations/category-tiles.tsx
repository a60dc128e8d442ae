import { createArchesPath, Drawing } from './drawing.tsx';

interface TileProps {
  className?: string | undefined;
}

/** A stadium under lights, a foam hand and a ticket. */
export function GameDayIllustration({ className }: TileProps) {
  return (
    <Drawing width={320} height={240} slice="xMidYMid" className={className}>
      <path d="M0 0h320v240H0z" className="fill-scene-sky" />
      <path d="M0 90h320v150H0z" className="fill-scene-sky-low" opacity="0.6" />
      <path d="M44 40h5v90h-5zM271 40h5v90h-5z" className="fill-scene-metal" />
      <path d="M24 28h46v20H24zM250 28h46v20h-46z" className="fill-scene-metal" />
      <g className="fill-scene-sun">
        <circle cx="34" cy="38" r="5.5" />
        <circle cx="47" cy="38" r="5.5" />
        <circle cx="60" cy="38" r="5.5" />
        <circle cx="260" cy="38" r="5.5" />
        <circle cx="273" cy="38" r="5.5" />
        <circle cx="286" cy="38" r="5.5" />
      </g>
      <path d="M-20 124C40 96 280 96 340 124v86H-20z" className="fill-scene-stone" />
      <path d="M-20 124C40 96 280 96 340 124v14C280 110 40 110-20 138z" className="fill-brand" />
      <path d={createArchesPath(-6, 200, 12, 20, 46, 8)} className="fill-scene-brick-shade" />
      <path d="M0 196h320v44H0z" className="fill-scene-lawn" />
      <path
        d="M20 196-10 240h44l16-44zM96 196l-16 44h44l6-44zM180 196l4 44h44l-14-44zM262 196l30 44h40l-40-44z"
        className="fill-scene-lawn-stripe"
      />
      <g transform="translate(196 58) rotate(8)">
        <path
          d="M20 150V86c-10-2-16-8-16-17 0-8 5-13 12-13h6V8c0-8 5-13 12-13s12 5 12 13v40h20c12 0 20 8 20 20v20c0 14-8 22-20 24v38z"
          className="fill-gold"
        />
        <path
          d="M46 62h26M46 76h28M46 90h24"
          fill="none"
          strokeWidth="4"
          strokeLinecap="round"
          className="stroke-on-gold"
          opacity="0.35"
        />
        <path d="M20 124h46v26H20z" className="fill-brand" />
      </g>
      <g transform="translate(52 132) rotate(-11)">
        <path
          d="M0 6a6 6 0 0 1 6-6h106a6 6 0 0 1 6 6v16a9 9 0 0 0 0 18v16a6 6 0 0 1-6 6H6a6 6 0 0 1-6-6V40a9 9 0 0 0 0-18z"
          className="fill-scene-cloth"
        />
        <path d="M84 4v54" strokeWidth="2.5" strokeDasharray="4 5" className="stroke-scene-wood" />
        <path d="M16 14h52v9H16z" className="fill-brand" />
        <path d="M16 31h40v5H16zM16 42h28v5H16z" className="fill-scene-wood" />
        <path d="m101 18 4 9 10 1-7 7 2 10-9-5-9 5 2-10-7-7 10-1z" className="fill-gold" />
      </g>
    </Drawing>
  );
}

/** A hoodie on a hanger. */
export function MerchandiseIllustration({ className }: TileProps) {
  return (
    <Drawing width={320} height={240} slice="xMidYMid" className={className}>
      <path d="M0 0h320v240H0z" className="fill-gold" />
      <path
        d="M0 0h40v240H0zM80 0h40v240H80zM160 0h40v240h-40zM240 0h40v240h-40z"
        className="fill-gold-hover"
        opacity="0.55"
      />
      <path d="M0 30h320v7H0z" className="fill-scene-wood" />
      <path
        d="M160 33c0-10 14-10 14 0 0 9-14 8-14 22l48 24M160 55l-48 24"
        fill="none"
        strokeWidth="5"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-scene-metal"
      />
      <path
        d="M122 70c-24 8-38 18-45 34L48 186l30 14 20-46v76c0 6 4 10 10 10h104c6 0 10-4 10-10v-76l20 46 30-14-29-82c-7-16-21-26-45-34z"
        className="fill-brand"
      />
      <path
        d="M98 154 98 122M222 154v-32"
        strokeWidth="3"
        strokeLinecap="round"
        className="stroke-brand-deep"
      />
      <path
        d="M118 70c-6-26 14-38 42-38s48 12 42 38c-6 20-20 32-42 36-22-4-36-16-42-36z"
        className="fill-brand-hover"
      />
      <path
        d="M130 70c0-18 12-26 30-26s30 8 30 26c-4 12-14 20-30 24-16-4-26-12-30-24z"
        className="fill-brand-deep"
      />
      <path
        d="M146 92c-2 14-2 24 0 36M174 92c2 14 2 24 0 36"
        fill="none"
        strokeWidth="3.5"
        strokeLinecap="round"
        className="stroke-scene-cloth"
      />
      <path d="M114 196c0-10 6-16 14-16h64c8 0 14 6 14 16v22h-92z" className="fill-brand-hover" />
      <path
        d="M144 134h32c4 0 6 2 6 6v22c0 4-2 6-6 6l7 8h-13l-6-8h-20c-4 0-6-2-6-6v-22c0-4 2-6 6-6zm6 10v14h20v-14z"
        fillRule="evenodd"
        className="fill-gold"
      />
    </Drawing>
  );
}

/** A reading corner: chair, lamp, a window onto the lawn. */
export function FurnitureIllustration({ className }: TileProps) {
  return (
    <Drawing width={320} height={240} slice="xMidYMid" className={className}>
      <path d="M0 0h320v190H0z" className="fill-scene-stone" />
      <path d="M0 186h320v54H0z" className="fill-scene-wood" />
      <path d="M0 184h320v6H0z" className="fill-scene-trunk" opacity="0.5" />
      <path d="M30 150V74a44 44 0 0 1 88 0v76z" className="fill-scene-cloth" />
      <path d="M38 142V74a36 36 0 0 1 72 0v68z" className="fill-scene-sky-low" />
      <path d="M38 112c24-14 48-12 72-2v32H38z" className="fill-scene-lawn" />
      <circle cx="90" cy="82" r="12" className="fill-scene-sun" />
      <path d="M72 38h4v104h-4zM38 94h72v4H38z" className="fill-scene-cloth" />
      <ellipse cx="176" cy="216" rx="126" ry="15" className="fill-brand-text" opacity="0.25" />
      <path d="M246 60h6v146h-6z" className="fill-scene-metal" />
      <path d="M224 204h50c4 0 6 8 6 10h-62c0-2 2-10 6-10z" className="fill-scene-metal" />
      <path d="M210 96 296 96 340 190H172z" className="fill-scene-sun" opacity="0.28" />
      <path d="M230 36h38l22 52h-82z" className="fill-gold" />
      <path d="M126 206l-8 20h9l9-20zM202 206l8 20h-9l-9-20z" className="fill-scene-trunk" />
      <path d="M116 100c0-16 10-26 26-26h44c16 0 26 10 26 26v64h-96z" className="fill-scene-brick" />
      <path d="M126 152h76v34h-76z" className="fill-brand-hover" />
      <path d="M126 152c0-6 4-10 10-10h56c6 0 10 4 10 10v10h-76z" className="fill-scene-brick" />
      <path
        d="M96 150c0-9 6-15 15-15s15 6 15 15v34h76v-34c0-9 6-15 15-15s15 6 15 15v50c0 6-4 10-10 10H106c-6 0-10-4-10-10z"
        className="fill-brand"
      />
      <path d="m146 104 34-6 7 34-34 7z" className="fill-gold" />
      <path
        d="m153 112 20-4M155 120l20-4"
        strokeWidth="3"
        strokeLinecap="round"
        className="stroke-on-gold"
        opacity="0.35"
      />
    </Drawing>
  );
}

/** A bicycle by an arcade, with its key. */
export function RentalsIllustration({ className }: TileProps) {
  return (
    <Drawing width={320} height={240} slice="xMidYMid" className={className}>
      <path d="M0 0h320v240H0z" className="fill-scene-brick" />
      <path d="M0 0h320v26H0z" className="fill-scene-roof" />
      <path d="M0 26h320v9H0zM0 120V72h320v48z" className="fill-scene-stone" />
      <path d="M0 72h320v120H0z" className="fill-scene-stone" />
      <path d={createArchesPath(-34, 196, 5, 64, 112, 14)} className="fill-scene-brick-shade" />
      <path d="M0 192h320v48H0z" className="fill-scene-lawn" />
      <path d="M0 206h320v16H0z" className="fill-scene-path" />
      <g fill="none" strokeLinecap="round" strokeLinejoin="round">
        <circle cx="98" cy="172" r="40" strokeWidth="6" className="stroke-scene-trunk" />
        <circle cx="222" cy="172" r="40" strokeWidth="6" className="stroke-scene-trunk" />
        <path
          d="M98 132v80M58 172h80M70 144l56 56M126 144l-56 56M222 132v80M182 172h80M194 144l56 56M250 144l-56 56"
          strokeWidth="1.5"
          className="stroke-scene-metal"
          opacity="0.7"
        />
        <path
          d="M98 172 130 112h72L158 172zM130 112l28 60M196 96l26 76M122 96l8 16"
          strokeWidth="7"
          className="stroke-gold"
        />
        <path d="M106 94h30M196 96l-6-16h24c8 0 10 10 4 14" strokeWidth="7" className="stroke-scene-trunk" />
        <path d="M158 172l14 14M166 186h14" strokeWidth="5" className="stroke-scene-metal" />
      </g>
      <circle cx="158" cy="172" r="10" className="fill-scene-metal" />
      <path d="M204 92h40l-4 30h-32z" className="fill-scene-wood" />
      <path
        d="M204 100h40M210 92l4 30M222 92v30M234 92l-4 30"
        strokeWidth="2"
        className="stroke-scene-trunk"
        opacity="0.5"
      />
    </Drawing>
  );
}
