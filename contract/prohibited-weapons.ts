import { createObjectWords } from './everyday-objects.ts';
import { parsePhrases } from './phrase-matching.ts';
import { not, type ProhibitedItemRule, sells } from './prohibited-item-rule.ts';

const blades = 'sword|swords|katana|katanas|dagger|daggers|machete|machetes';
const guns = 'gun|guns|pistol|pistols|rifle|rifles|shotgun|shotguns|revolver|revolvers';
const weaponNames = `
  ${guns}|handgun|handguns|firearm|firearms|carbine|glock|glocks|ar15|ar10|ak47|p320|p365|mossberg
  ar 15|10
  ak 47
  ammo|ammunition|bullets|silencer|suppressor
  taser|tasers|switchblade|switchblades|crossbow|crossbows|nunchucks|balisong|${blades}
  brass knuckles|knuckle
  butterfly|karambit knife|knives
  karambit|karambits
  throwing knives|knife|stars
  sig sauer
  smith wesson
  smith and wesson
  m p shield
  s w shield
  swmp
  ruger lcp|lc9
  10 22
  desert eagle
  remington 870|700
  marlin model|336|60
  explosive|explosives|firework|fireworks|firecracker|firecrackers|grenade|grenades|dynamite|m80|m80s
  roman candle|candles
`;
const adjectives =
  'nerf|toy|foam|plastic|wooden|prop|costume|lego|cosplay|minecraft|inflatable|fake|pretend|cardboard|squirt|rubber';

export const weapons: ProhibitedItemRule = {
  guideline: 'weapons',
  items: parsePhrases(weaponNames),
  clear: parsePhrases(`
    ${sells} … firearm|firearms|handgun|handguns|rifle|rifles|pistol|pistols|ammo|ammunition|fireworks|taser|tasers
    9mm|22|22lr|12gauge|556|223 ammo|ammunition|rounds
    223|556|308|45|40|380|acp|rem|win # rounds
    12|20 ga|gauge shells
    12ga|20ga shells
    hollow points
    ghost gun|guns
    pipe bomb|bombs
  `),
  harmless: parsePhrases(`
    gun metal|gray|grey|safe|show
    glue|nail|staple|heat|massage|nerf|water|squirt|price|label|spray|caulk|caulking|tattoo|grease|radar|toy|bubble|soldering|rework|popcorn|tagging|paint|confetti|foam gun|guns
    top gun
    guns n|and|germs|of|roses
    guns , germs
    finger|machine gun|guns kelly
    machine gun kelly
    sex pistols
    pistol pete|squat|squats
    velvet revolver
    biting the bullet
    ${adjectives} … ${guns}|${blades}|grenade|crossbow
    shotgun wedding|shell|seat
    sword art|fern|lily|in
    sword|swords and shield|shields|sorcery
    gun|pistol|sword of
    rifle paper
    bullet|bullets journal|journals|points|list|blender
    silver|washington|baltimore bullets
    fireworks show|display|photo|photos|view|watching|night
    ${not} … gun|guns|weapons|firearms|fireworks
  `),
  objects: createObjectWords('case safe'),
  ambiguous: parsePhrases(`
    beretta|ruger|taurus|colt|remington|winchester|walther|springfield|hellcat|kimber|benelli|browning|canik|draco|uzi|cz|hk|fn
    m p|1911
    stun gun|guns
    bowie|hunting|combat|tactical knife
  `),
  ambiguousIn: { textbooks: parsePhrases(weaponNames), clothing: parsePhrases(weaponNames) },
  evidence: parsePhrases(`
    9mm|40sw|380|45acp|22lr|556|caliber|cal|rounds|holster|magazine|mags|firearm|trigger|semi|auto|gauge|barrel|ammo|92fs|g2c|g3c|xd|xds|tactical|blade|sharp|sharpened
    pump action
    bolt action
    lever action
    stun
  `),
  evidentPrice: 200,
};
