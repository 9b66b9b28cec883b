/**
 * The style sheet of the page: one column of text with wide figures, for light and dark screens,
 * phones and paper.
 */
export const STYLE = `
:root{color-scheme:light dark;--ground:#fff;--raised:#f6f7f8;--text:#1b1f24;--dim:#59636e;--rule:#d5dae0;--link:#0b57c2;--good:#116329;--bad:#b3261e;--mixed:#8a4b00;--open:#4f5b67;--gone:#6a737d;--l0:#0b57c2;--l1:#8a4b00;--l2:#116329;--l3:#a31565;--l4:#5b3cc4;--l5:#006a75}
@media (prefers-color-scheme:dark){:root{--ground:#15181c;--raised:#1d2127;--text:#e4e7ea;--dim:#a0a9b3;--rule:#363d46;--link:#82b4ff;--good:#6fd08c;--bad:#ff9a90;--mixed:#f0b25f;--open:#b3bcc6;--gone:#96a0aa;--l0:#82b4ff;--l1:#f0b25f;--l2:#6fd08c;--l3:#ff9bcb;--l4:#bba7ff;--l5:#62d3de}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
main,header,nav,footer{max-width:70rem;margin:0 auto;padding:0 1.5rem}
header{padding-top:2.5rem}
h1{font-size:1.65rem;line-height:1.25;margin:.9rem 0 1rem;max-width:44rem}
h2{font-size:1.25rem;margin:3rem 0 .8rem;padding-top:.6rem;border-top:1px solid var(--rule)}
h3{font-size:1.05rem;margin:1.8rem 0 .5rem}
h4,h5,h6{font-size:1rem;margin:1.3rem 0 .4rem}
p,ul,ol,blockquote,pre{margin:.6rem 0}
.text,.note,.answer{max-width:46rem}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:2px}
a[href^="#x-"]{white-space:nowrap}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
code,pre{font:.88em/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
pre{overflow-x:auto;background:var(--raised);padding:.7rem .9rem;white-space:pre-wrap}
blockquote{margin-left:0;padding-left:1rem;border-left:3px solid var(--rule);color:var(--dim)}
.note,small,caption,.meta{color:var(--dim);font-size:.86rem}
td small{display:block;margin-top:.25rem}
.badge{display:inline-block;margin:0;padding:.2rem .7rem;border:1px solid currentColor;color:var(--mixed);font-weight:600;font-size:.86rem}
.answer{margin:1.4rem 0;padding-left:1.2rem;border-left:4px solid var(--link)}
.answer h2{border:0;margin:0;padding:0;font-size:.9rem;font-weight:600;color:var(--dim)}
.answer .says{font-size:1.3rem;line-height:1.4;margin:.25rem 0 .5rem}
.answer .heard{margin:.2rem 0;color:var(--dim)}
.warning{color:var(--bad);font-weight:600}
nav{margin-top:1.6rem}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;list-style:none;padding:0;font-size:.92rem}
.vote{margin:1rem 0}
.vote figcaption{font-size:.9rem;color:var(--dim);margin-bottom:.2rem}
.vote ul{list-style:none;padding:0;margin:0}
.vote li{display:grid;grid-template-columns:9rem 1.6rem 1fr;column-gap:.7rem;align-items:baseline;margin:.3rem 0}
.vote b{text-align:right}
.bar{width:100%;height:.6rem;background:var(--raised)}
.bar rect{fill:var(--l0)}
.scroll{overflow-x:auto;margin:.8rem 0}
table{border-collapse:collapse;font-size:.93rem;line-height:1.45}
.rows{width:100%}
.rows [colspan]{padding-top:1.1rem;color:inherit}
caption{text-align:left;padding-bottom:.4rem}
th,td{text-align:left;vertical-align:top;padding:.45rem .9rem .45rem 0;border-bottom:1px solid var(--rule)}
th{font-size:.84rem;color:var(--dim);font-weight:600}
[align=right]{text-align:right}
.rows td:first-child{white-space:nowrap;font-weight:600}
:is(tr,li,p,details,.text):target{background:color-mix(in srgb,var(--link) 14%,transparent)}
.t-good{color:var(--good)}.t-bad{color:var(--bad)}.t-mixed{color:var(--mixed)}.t-open{color:var(--open)}.t-gone{color:var(--gone)}
details{margin:.5rem 0;max-width:76rem}
summary{cursor:pointer;padding:.25rem 0}
summary h3{display:inline;margin:0;font:inherit}
details>:not(summary){margin-left:1.1rem}
.prompts{max-width:60rem;font-size:.82rem}
.graph{border:1px solid var(--rule);background:var(--raised);margin-bottom:.4rem;width:max-content;min-width:100%;max-width:calc(100vw - 5rem);position:relative;left:50%;transform:translateX(-50%)}
.graph svg{display:block;font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
.graph text{fill:var(--text)}
.column text{fill:var(--dim);font-weight:600}
.column line{stroke:var(--rule)}
.lane line{stroke-width:3}
.lane text{font-weight:600}
.l0{--lane:var(--l0)}.l1{--lane:var(--l1)}.l2{--lane:var(--l2)}.l3{--lane:var(--l3)}.l4{--lane:var(--l4)}.l5{--lane:var(--l5)}.l-none{--lane:var(--dim)}
.lane line{stroke:var(--lane)}
.lane text{fill:var(--lane)}
circle{fill:var(--lane)}
.node rect,.node path{fill:var(--ground);stroke:var(--tone);stroke-width:1.4}
.node{--tone:var(--dim)}
.node.t-good{--tone:var(--good)}.node.t-bad{--tone:var(--bad)}.node.t-mixed{--tone:var(--mixed)}
.node.t-open rect,.node.t-open path,.node.t-gone rect,.node.t-gone path{stroke-dasharray:4 3}
.node .id{fill:var(--tone);font-weight:600}
.node .said{fill:var(--text);font-size:11.5px}
a.node:is(:hover,:focus) rect,a.node:is(:hover,:focus) path{stroke-width:3}
.edge{fill:none;stroke:var(--edge);stroke-width:1.2;opacity:.7}
marker path{fill:var(--edge)}
.e0{--edge:var(--gone)}.e1{--edge:var(--l0)}.e2{--edge:var(--l4)}.e3{--edge:var(--bad)}.e4{--edge:var(--l5)}
.e2{stroke-dasharray:6 3}.e3{stroke-dasharray:2 3}.e4{stroke-dasharray:9 3 2 3}
marker{stroke-dasharray:none}
.legend{display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;list-style:none;padding:0;margin:.3rem 0 .8rem;font-size:.86rem;color:var(--dim)}
.legend svg{vertical-align:-2px}
.legend .edge{opacity:1;stroke-width:1.6}
footer{margin-top:3rem;padding-bottom:3rem;color:var(--dim);font-size:.86rem}
@media (max-width:44rem){
main,header,nav,footer{padding-left:1rem;padding-right:1rem}
.graph{max-width:100%}
h1{font-size:1.35rem}
.answer .says{font-size:1.12rem}
.vote li{grid-template-columns:4rem 1.6rem 1fr}
.rows thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
.rows,.rows tbody,.rows tr,.rows td,.rows caption{display:block}
.rows td:first-child{white-space:normal}
.rows [colspan]{display:block;border:0}
.rows tr{border-bottom:1px solid var(--rule);padding:.6rem 0}
.rows td{border:0;padding:.1rem 0;text-align:left!important}
.rows td:empty{display:none}
.rows td:not(:first-child)::before{content:var(--head) "  ";color:var(--dim);font-size:.82rem}
}
@media screen{.on-paper{display:none}}
@media print{
@page{margin:14mm}
@page picture{size:landscape}
:root{color-scheme:light;--ground:#fff;--raised:#fff;--text:#000;--dim:#444;--rule:#bbb;--link:#000;--good:#0b4d1e;--bad:#8c1a13;--mixed:#6b3a00;--open:#333;--gone:#555;--l0:#0b57c2;--l1:#8a4b00;--l2:#116329;--l3:#a31565;--l4:#5b3cc4;--l5:#006a75}
body{font-size:10.5pt}
nav,.prompts,.off-paper{display:none}
section:has(>.across){page:picture}
main,header,footer{max-width:none;padding:0}
a{text-decoration:none}
.scroll{overflow:visible}
.graph{max-width:100%;left:0;transform:none}
.graph svg{width:100%;height:auto;max-height:15cm}
.high svg{max-height:24cm}
table{font-size:8.5pt}
th,td{padding:.2rem .6rem .2rem 0}
small{font-size:7.5pt}
tr,.vote,.answer,.graph{break-inside:avoid}
h2,h3,caption,thead{break-after:avoid}
thead{display:table-header-group}
details::details-content{content-visibility:visible;block-size:auto}
}
`;
