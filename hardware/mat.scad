// A view mat, or the tray: the same parts.  All lengths come from vision/optics.toml through sizes.scad; y grows towards the owner,
// who sits at the far end of +y, and z = 0 is the underside of the plate.  Render one part:
//   openscad -o plate_left.stl -D 'part="plate_left"' hardware/mat.scad
// or all of them: ./run hardware parts

/* [What to build] */
part = "assembly"; // [assembly, opened, plate_left, plate_right, lid_left, lid_right, front_left, front_right, back_left, back_right, lamp_far, lamp_near, camera_mount, node_tray, button_pod, flap_left, flap_right, blinker]
camera = "cm3"; // [cm3, cm3-wide, uvc]
window = "standard"; // [standard, large]
card = "poker"; // [poker, bridge, sleeved]
button_side = "right"; // [left, right]
// of the hole for the big button
button_mm = 30; // [24, 30]
$fn = 32;

include <sizes.scad>

row = [for (mat = mats) if (mat[0] == camera && mat[1] == window && mat[2] == card) mat[3]][0];
assert(row != undef, str("there is no mat for ", camera, ", ", window, ", ", card));
function of(name) = row[search([name], names)[0]];

slots = of("slots");
pitch = of("pitch");
card_mm = of("card");
window_mm = of("window");
peek_mm = of("peek");
thick = of("plate")[0];
rim = of("plate")[1];
lip = of("plate")[2];
bevel = of("plate")[3];
rail = of("rail");
lens = of("lens");
floor_z = of("floor_z");
back_y = of("back_y");
front_y = of("front_y");
left_x = of("sides_x")[0];
right_x = of("sides_x")[1];
wall = of("box")[0];
partition = of("box")[1];
floor_mm = of("box")[2];
brow = of("box")[3];
sill = of("box")[4];
ledge = of("box")[5];
lamp = of("lamp");
eps = 0.01;

// Behind the far rail: digits, slot lamps, and below them the far light channel.
strip_y = -28;
// Plate and lid are cut between window and marker, the box where it cuts neither the camera's mount nor the same line.
cut_x = 2 * pitch + window_mm[0] + (pitch - window_mm[0]) / 4 - 7.5;
box_cut_x = 2 * pitch + 36;
// The box narrows behind the strip: room for the camera in the middle, the node at one side of it.
back_half = 104;
bolt = 3.2;

// ---- The plate ------------------------------------------------------------------------------------------------------------

module rect(x, y, w, h, z0, z1) { translate([x, y, z0]) cube([w, h, z1 - z0]); }

module hole(x, y, size) {
    wide = [size[0] + 2 * rim, size[1] + 2 * rim];
    rect(x - rim, y - rim, wide[0], wide[1], thick - lip - eps, thick + eps);
    hull() {
        rect(x - rim, y - rim, wide[0], wide[1], thick - lip, thick - lip + eps);
        rect(x - rim - bevel, y - rim - bevel, wide[0] + 2 * bevel, wide[1] + 2 * bevel, -eps, 0);
    }
    rect(x - rim - bevel, y - rim - bevel, wide[0] + 2 * bevel, wide[1] + 2 * bevel, -1, 0);
}

// Digits of straight strokes, 6 wide and 10 high: no font is needed, and a thumb can read them.
strokes = [
    [[3, 0, 3, 10], [1, 8.4, 3, 10]],
    [[0.8, 9.2, 5.2, 9.2], [5.2, 9.2, 5.2, 5], [5.2, 5, 0.8, 5], [0.8, 5, 0.8, 0.8], [0.8, 0.8, 5.2, 0.8]],
    [[0.8, 9.2, 5.2, 9.2], [5.2, 9.2, 5.2, 0.8], [1.8, 5, 5.2, 5], [0.8, 0.8, 5.2, 0.8]],
    [[0.8, 9.2, 0.8, 5], [0.8, 5, 5.2, 5], [5.2, 9.2, 5.2, 0.8]],
    [[5.2, 9.2, 0.8, 9.2], [0.8, 9.2, 0.8, 5], [0.8, 5, 5.2, 5], [5.2, 5, 5.2, 0.8], [5.2, 0.8, 0.8, 0.8]],
];

module digit(number) {
    translate([-3, -5, 0]) for (s = strokes[number - 1]) hull() {
        translate([s[0], s[1], 0]) cylinder(d = 1.6, h = 1, $fn = 8);
        translate([s[2], s[3], 0]) cylinder(d = 1.6, h = 1, $fn = 8);
    }
}

// Slot 1 is at the owner's left: the last window in x.
function slot_x(number) = (slots - number) * pitch;

module plate() {
    difference() {
        union() {
            rect(left_x, strip_y, right_x - left_x, front_y - strip_y, 0, thick);
            // the far rail, and a rail at the owner's right of every slot; the front stays low
            rect(-rail[0], -rail[0], right_x - 2, rail[0], thick - eps, thick + rail[1]);
            for (number = [1 : slots]) {
                rect(slot_x(number) - rail[0], -rail[0], rail[0], card_mm[1] * 0.7, thick - eps, thick + rail[1]);
                // one digit for the owner, one for the players opposite
                translate([slot_x(number) + card_mm[0] / 2 + 20, -9, thick - eps]) rotate(180) digit(number);
                translate([slot_x(number) + card_mm[0] / 2 + 8, -9, thick - eps]) digit(number);
            }
        }
        for (number = [1 : slots]) {
            hole(slot_x(number), 0, window_mm);
            hole(slot_x(number) + card_mm[0] - peek_mm[0], card_mm[1] - peek_mm[1], peek_mm);
            // finger notch
            translate([slot_x(number) + (card_mm[0] - peek_mm[0]) / 2, front_y + 3, -1]) cylinder(r = 12, h = thick + 2);
            // slot lamp
            translate([slot_x(number) + card_mm[0] / 2, -21, -1]) cylinder(d = 5.1, h = thick + 2);
        }
        // seat lamp, and the lamp that says that the camera is on
        translate([slot_x(3) + card_mm[0] / 2 - 24, -21, -1]) cylinder(d = 5.1, h = thick + 2);
        translate([right_x - 12, -21, -1]) cylinder(d = 3.1, h = thick + 2);
        for (at = plate_bolts()) translate([at[0], at[1], -1]) cylinder(d = bolt, h = thick + 2);
    }
}

// All of them stand beside the camera's beam.
function plate_bolts() = [for (x = [left_x + 3.5, right_x - 3.5]) for (y = [-22, 46]) [x, y]];

// Seen from above: `behind` and `beside` are how far beyond the inside of the back wall, and beyond the outer sides.
module outline(behind, beside) {
    polygon([
        [left_x - beside, strip_y], [right_x + beside, strip_y],
        [lens[0] + back_half + beside, back_y - behind], [lens[0] - back_half - beside, back_y - behind],
    ]);
}

function lid_bolts() = concat(
    [for (side = [-1, 1]) [lens[0] + side * (back_half - 7), back_y + 6]],
    [[left_x + 12, strip_y - 10], [right_x - 14, strip_y - 10]]
);

module lid() {
    difference() {
        linear_extrude(thick) outline(wall, 0);
        for (at = lid_bolts()) translate([at[0], at[1], -1]) cylinder(d = bolt, h = thick + 2);
    }
}

// ---- The box --------------------------------------------------------------------------------------------------------------

low = floor_z - floor_mm;

module shell(z0, z1, shrink) {
    translate([0, 0, z0]) linear_extrude(z1 - z0) union() {
        outline(wall - shrink, -shrink);
        translate([left_x + shrink, strip_y - eps]) square([right_x - left_x - 2 * shrink, front_y - strip_y + eps - shrink]);
    }
}

// A rib under a mirror's back; its top lies flat against it.
module rib(mirror, x, down) {
    t = of("mirror_thick");
    run = [mirror[2] - mirror[0], mirror[3] - mirror[1]];
    size = norm(run);
    back = [run[1] / size * t, -run[0] / size * t];
    a = [mirror[0] + back[0], mirror[1] + back[1]];
    b = [mirror[2] + back[0], mirror[3] + back[1]];
    translate([x - 1.5, 0, 0]) rotate([90, 0, 90]) linear_extrude(3)
        polygon([a, b, [b[0], floor_z - 1], [a[0], floor_z - 1]]);
}

module post(at, z1) {
    translate([at[0], at[1], floor_z - eps]) difference() {
        cylinder(d = 8, h = z1 - floor_z);
        translate([0, 0, z1 - floor_z - 12]) cylinder(d = 2.5, h = 13);
    }
}

// Two halves are bolted to each other at the seam: half of the flange belongs to either.
module flange(x, y0, y1, high) {
    difference() {
        rect(x - 4, y0, 8, y1 - y0, floor_z - eps, floor_z + high);
        for (y = [y0 + 6 : 26 : y1 - 5]) translate([x - 6, y, floor_z + high / 2]) rotate([0, 90, 0]) cylinder(d = bolt, h = 12);
    }
}

module box() {
    camera_mirror = of("camera_mirror");
    peek_mirror = of("peek_mirror");
    opening_low = floor_z + sill;
    difference() {
        union() {
            difference() {
                shell(low, 0, 0);
                shell(floor_z, 1, wall);
            }
            flap_guide();
            // the wall between the camera's half and the owner's
            rect(left_x + eps, of("wall_y") - partition / 2, right_x - left_x - 2 * eps, partition, floor_z - eps, 0);
            for (x = [camera_mirror[4] + 4, box_cut_x - 10, box_cut_x + 10, camera_mirror[5] - 4]) rib(camera_mirror, x);
            for (x = [peek_mirror[4] + 4, box_cut_x - 10, box_cut_x + 10, peek_mirror[5] - 4]) rib(peek_mirror, x);
            intersection() {
                union() {
                    for (at = plate_bolts()) post(at, 0);
                    for (at = lid_bolts()) post(at, 0);
                    flange(box_cut_x, back_y + 8, strip_y - 20, 8);
                    flange_y();
                }
                shell(low, 0, wall / 2);
            }
        }
        // the owner's opening
        rect(left_x + wall, front_y - wall - 1, right_x - left_x - 2 * wall, wall + 2, opening_low, -brow);
        // supply and ribbon: slots in the back wall, seen by no window
        rect(lens[0] + back_half - 40, back_y - wall - 1, 24, wall + 2, floor_z + 4, floor_z + 16);
        // the cable of the button, on either side
        for (x = [left_x - 1, right_x - wall - 1]) translate([x, 20, floor_z + 10]) rotate([0, 90, 0]) cylinder(d = 6, h = wall + 2);
        // holes for the camera's foot
        for (side = [-1, 1])
            translate([lens[0] + side * 14, lens[1] - 12, low - 1]) cylinder(d = bolt, h = floor_mm + 2);
        // and for the node's tray
        for (side = [0, 1]) translate([node_x() + 10 + side * 51, lens[1] + 16.5, low - 1]) cylinder(d = bolt, h = floor_mm + 2);
    }
}

function node_x() = lens[0] + 26;

// The same across the mat, between its front and its back.
module flange_y() {
    difference() {
        rect(left_x, strip_y - 4, right_x - left_x, 8, floor_z - eps, floor_z + 8);
        for (x = [left_x + 20 : 45 : right_x - 10]) translate([x, strip_y - 6, floor_z + 4]) rotate([-90, 0, 0]) cylinder(d = bolt, h = 12);
    }
}

// ---- Small parts ------------------------------------------------------------------------------------------------------------

// Hangs under the plate; the strip of LEDs lies on its floor.  In two lengths, so that it bridges the plate's seam.
module channel(length) {
    outer = lamp[1] + lamp[4];
    rotate([90, 0, 90]) linear_extrude(length) polygon([
        [-lamp[4], -lamp[2] - lamp[4]], [-lamp[4], lamp[3] - lamp[2]], [0, lamp[3] - lamp[2]], [0, -lamp[2]],
        [lamp[1], -lamp[2]], [lamp[1], 0], [outer, 0], [outer, -lamp[2] - lamp[4]],
    ]);
}

// A foot with an upright frame; slots in both, to set path and height.
module camera_mount() {
    board = of("camera_board");
    high = -floor_z - 3;
    axis = lens[2] - floor_z;
    difference() {
        union() {
            translate([-24, -6, 0]) cube([48, 20, 3]);
            translate([-24, 11, 0]) cube([48, 3, high]);
            for (x = [-24, 21]) translate([x, 0, 0]) rotate([90, 0, 90]) linear_extrude(3) polygon([[-6, 2], [12, 2], [12, high - 4]]);
        }
        // the lens looks through
        translate([0, 20, axis]) rotate([90, 0, 0]) cylinder(d = min(board[0], board[1]) - 8, h = 20);
        // the board's own holes differ: slots, upright
        for (x = [-1, 1]) for (z = [-1, 1]) hull() for (slip = [-2.5, 2.5])
            translate([x * (board[0] / 2 - 2), 20, axis + z * (board[1] / 2 - 4.5) + slip]) rotate([90, 0, 0]) cylinder(d = 2.3, h = 20, $fn = 16);
        for (x = [-14, 14]) hull() for (slip = [-5, 5]) translate([x, 2 + slip, -1]) cylinder(d = bolt, h = 5);
    }
}

// For a Raspberry Pi Zero 2 W: 65 x 30 mm, holes 58 x 23 mm apart.
module node_tray() {
    difference() {
        union() {
            cube([71, 40, 2]);
            for (x = [6.5, 64.5]) for (y = [6, 29]) translate([x, y, 1]) cylinder(d = 6, h = 5);
        }
        for (x = [6.5, 64.5]) for (y = [6, 29]) translate([x, y, -1]) cylinder(d = 2.5, h = 9);
        for (x = [10, 61]) translate([x, 36.5, -1]) cylinder(d = bolt, h = 4);
    }
}

// Stands beside the mat, to the owner's left or right, and is bolted to its cheek through the hole of its cable.
module button_pod() {
    side = 50;
    high = -low;
    difference() {
        cube([side, side, high]);
        translate([2, 2, -1]) cube([side - 4, side - 4, high - 1.4]);
        translate([side / 2, side / 2, high - 5]) cylinder(d = button_mm, h = 10);
        translate([button_side == "right" ? side - 5 : -5, side / 2, floor_mm + 10]) rotate([0, 90, 0]) cylinder(d = 6, h = 10);
    }
}

// The flap stands in a groove of the ledge and between two guides; it is lifted out to open.
groove = 2.4;

module flap_guide() {
    difference() {
        union() {
            rect(left_x, front_y - eps, right_x - left_x, ledge + eps, low, floor_z + 3);
            for (x = [left_x, right_x - 4]) rect(x, front_y - eps, 4, ledge + eps, low, -10);
        }
        rect(left_x + 2, front_y + 0.8, right_x - left_x - 4, groove, floor_z, 1);
    }
}

// One half of the flap; the halves overlap by 20 mm in the middle.
module flap(left) {
    half = (right_x - left_x) / 2 - 2.5;
    mirror([left ? 1 : 0, 0, 0]) difference() {
        translate([-10, 0, 0]) cube([half + 10, -floor_z, 2]);
        translate([-11, -1, left ? 1 : -1]) cube([21, 2 - floor_z, 2]);
    }
}

// Stands between the owner's windows, on the owner's mirror, so that neighbours see nothing in it.
module blinker() { linear_extrude(of("blinker")[0]) polygon(of("blinker")[1]); }

// ---- Parts ----------------------------------------------------------------------------------------------------------------

module left_of(x) { intersection() { children(); translate([x - 600, -600, -200]) cube([600, 1200, 400]); } }
module right_of(x) { intersection() { children(); translate([x, -600, -200]) cube([600, 1200, 400]); } }
module front_of(y) { intersection() { children(); translate([-600, y, -200]) cube([1200, 600, 400]); } }
module back_of(y) { intersection() { children(); translate([-600, y - 600, -200]) cube([1200, 600, 400]); } }

module mirror_glass(m) {
    run = [m[2] - m[0], m[3] - m[1]];
    size = norm(run);
    t = of("mirror_thick");
    back = [run[1] / size * t, -run[0] / size * t];
    translate([m[4], 0, 0]) rotate([90, 0, 90]) linear_extrude(m[5] - m[4])
        polygon([[m[0], m[1]], [m[2], m[3]], [m[2] + back[0], m[3] + back[1]], [m[0] + back[0], m[1] + back[1]]]);
}

module lamps() {
    for (edge = of("lamp_edges")) translate([of("camera_mirror")[4], edge, 0])
        if (edge < 0) mirror([0, 1, 0]) channel(300); else channel(300);
}

module inside() {
    color("silver") { mirror_glass(of("camera_mirror")); mirror_glass(of("peek_mirror")); }
    color("steelblue") for (x = of("blinkers_x")) translate([x - of("blinker")[0] / 2, 0, 0]) rotate([90, 0, 90]) blinker();
    color("gold") lamps();
    color("seagreen") translate([lens[0], lens[1] - 14, floor_z]) camera_mount();
    color("orange") translate([node_x(), lens[1] - 20, floor_z]) node_tray();
}

module pod_in_place() {
    x = button_side == "right" ? left_x - 51 : right_x + 1;
    color("crimson") translate([x, 20 - 25, low]) button_pod();
}

if (part == "assembly") { color("ivory") plate(); color("lightgrey") lid(); color("dimgrey") box(); inside(); pod_in_place(); }
if (part == "opened") {
    color("dimgrey") box();
    inside();
    pod_in_place();
}
if (part == "plate_left") left_of(cut_x) plate();
if (part == "plate_right") right_of(cut_x) plate();
if (part == "lid_left") left_of(cut_x) lid();
if (part == "lid_right") right_of(cut_x) lid();
if (part == "front_left") left_of(box_cut_x) front_of(strip_y) box();
if (part == "front_right") right_of(box_cut_x) front_of(strip_y) box();
if (part == "back_left") left_of(box_cut_x) back_of(strip_y) box();
if (part == "back_right") right_of(box_cut_x) back_of(strip_y) box();
if (part == "lamp_far") channel(200);
if (part == "lamp_near") channel(100);
if (part == "camera_mount") camera_mount();
if (part == "node_tray") node_tray();
if (part == "button_pod") button_pod();
if (part == "flap_left") flap(true);
if (part == "flap_right") flap(false);
if (part == "blinker") blinker();
