#pragma once

#include <cstdint>

#include "footfall/simd/internal/pack.hpp"

/// Plain data of the native engine, shared by the kernels (compiled once for each instruction set) and by the code
/// around them. No functions here: what is computed with these types lives in the kernels' own namespaces.
namespace footfall::native {

/// Eight robots side by side: lane i of every number belongs to robot i.
using RobotPack = simd::Pack<8>;

/// How a scalar type T stands for robots, and how rows of T are cut into pieces that fill a vector register.
template <class T>
struct Width;
template <>
struct Width<double> {
  static constexpr int kRobots = 1;
  static constexpr int kChunk = 8;  ///< one robot: eight neighbours of a row in one register
};
template <>
struct Width<RobotPack> {
  static constexpr int kRobots = 8;
  static constexpr int kChunk = 1;  ///< the register is already full of robots
};

/// Entries of a row of six, padded to whole chunks.
template <class T>
constexpr int kSix = (6 + Width<T>::kChunk - 1) / Width<T>::kChunk* Width<T>::kChunk;

template <class T>
struct Vec3 {
  T x, y, z;
};

/// Columns are the axes of a frame, in world axes.
template <class T>
struct Rotation {
  Vec3<T> x, y, z;
};

/// Twist, acceleration, wrench or momentum at the base's origin, in world axes.
template <class T>
struct Spatial {
  Vec3<T> lin, ang;
};

/// Mass distribution about the base's origin in world axes, but for the mass itself, which never changes.
template <class T>
struct Inertia {
  Vec3<T> first;             ///< mass times centre of mass [kg m]
  T xx, xy, xz, yy, yz, zz;  ///< rotational inertia about the base's origin [kg m²]
};

/// Sums over all links.
template <class T>
struct Totals {
  Spatial<T> momentum;
  Vec3<T> first;     ///< mass times centre of mass, from the base's origin [kg m]
  T kinetic_energy;  ///< without that of the motors' reflected inertias [J]
};

/// A link with everything that hangs on it, as the sweep to the base sees it.
template <class T>
struct Load {
  Inertia<T> inertia;
  Spatial<T> force;
};

/// Six numbers that are handled together; zero in the padding.
template <class T>
struct alignas(64) Six {
  T v[kSix<T>];
};

/// What a link contributes, in a frame K of its own: origin of the link, z along the joint's axis, turned about z
/// until the product of inertia I_xy vanishes. Then I_com = zz·1 + [[a, 0, e], [0, b, f], [e, f, 0]]. The two links
/// without mass inside of a ball joint have the axes of the joint frame instead.
struct LinkConstants {
  Rotation<double> R_PK;  ///< in the parent's frame K, joint at zero [-]
  Vec3<double> p_PK;      ///< [m]
  Vec3<double> com;       ///< in K [m]
  double mass;            ///< of this link [kg]
  double subtree_mass;    ///< with everything that hangs on it [kg]
  double a, b, e, f, zz;  ///< rotational inertia as above [kg m²]
};

/// What each robot of a pack has in place of the constants of a link.
template <class T>
struct OwnMass {
  T mass;          ///< of this link [kg]
  T subtree_mass;  ///< with everything that hangs on it [kg]
  T turning;       ///< rotational inertia, times that of the constants [-]
  Vec3<T> com;     ///< in K [m]
};

/// Inertia that couples joint k with another one on its path; of motors that drive both.
struct PathCoupling {
  int joint;       ///< k
  int depth;       ///< of the other one on the path of k
  double inertia;  ///< [kg m²]
};

/// The robot as the kernels see it: links numbered depth first, so that every subtree is a run of numbers.
/// Link 0 is the base, joint k moves link k. Arrays have one entry for each link.
struct Tree {
  int links;
  bool floating_base;
  int base_dofs;         ///< 6 or 0
  int max_path;          ///< joints on the longest way from the base to a link
  Vec3<double> gravity;  ///< [m/s²]
  const LinkConstants* constants;
  const int* parent;
  const int* last;   ///< highest number in the subtree
  const int* depth;  ///< joints between the base and this link's own joint; -1 for the base
  const int* path;   ///< all paths: joints from the base to link k, k included, start at path[path_begin[k]]
  const int* path_begin;
  const int* dof;  ///< of the Model
  const std::uint8_t* prismatic;
  int balls;                     ///< ball joints: three joints in a row
  const int* ball;               ///< number of the first of each, ascending
  const std::uint8_t* branches;  ///< more children than the link of the next number
  const int* elimination;        ///< joints, deepest first: neighbours in this list do not wait for each other
  const double* reflected;       ///< reflected inertia [kg m²] or [kg]
  int couplings;
  const PathCoupling* coupling;
};

template <class T>
struct LinkState {
  Rotation<T> R_WK;
  Vec3<T> p;     ///< origin of the link, from the base's origin, world axes [m]
  Spatial<T> V;  ///< velocity
  Spatial<T> A;  ///< acceleration at ν̇ = 0, less gravity
};

/// Scratch of one robot (T = double) or of eight (T = RobotPack). Rows of M and L hold, for joint k, six entries for
/// the base (kSix<T>; none when the base is fixed), then one for each joint on the path to k, padded to whole chunks.
template <class T>
struct Scratch {
  Vec3<T> p_WB;  ///< [m]
  LinkState<T>* link;
  Inertia<T>* inertia;  ///< of link k alone; a pack of robots has no room for it and computes it where it is used
  const OwnMass<T>* own_mass;  ///< of the links of a pack; null: those of the tree, as always of one robot
  Six<T>* S;                   ///< axis of joint k as a twist of unit speed
  T* position;                 ///< of joint k, padded [rad] or [m]
  T* sine;                     ///< padded; of the three joints of a ball: the vector of its quaternion
  T* cosine;                   ///< padded; of the first joint of a ball: the scalar of its quaternion
  T* velocity;                 ///< of joint k
  Load<T>* branch;             ///< sum of the side branches of a link that has some
  int row_base;                ///< entries of a row that belong to the base
  const int* row;              ///< where row k starts
  T* M;                        ///< mass matrix
  T* L;                        ///< M + implicit inertia = Lᵀ D L; the unit diagonal is stored as zero
  T* U;  ///< D L before it is divided by D, which saves products; a pack of robots has no room for it: U = L
  T* D;
  T* D_inverse;
  T* implicit;     ///< implicit inertia
  Six<T>* M_base;  ///< rows of the base, (6)
  Six<T>* L_base;
  T* D_base_inverse;  ///< (6)
  T* h;               ///< bias force of joint k
  Spatial<T> h_base;
  T* x;  ///< solutions in the making
};

/// Where a link is, seen from the base's origin.
struct LinkPlace {
  Rotation<double> R_WK;
  Vec3<double> p;  ///< [m]
};

/// A point that ties link b to link a along some axes; see LoopPoint of the port.
struct LoopTie {
  int link_a, link_b;     ///< -1: the world
  Vec3<double> p_A, p_B;  ///< in the links' frames K, or in the world [m]
  Rotation<double> R_AF;  ///< the axes in a's frame K, or in the world [-]
  int row[3];             ///< along each axis; -1: free
};

/// Rows that tie links together. They lie in the lanes of chunks of eight; rows that move the same joints share a
/// chunk, so that loops of different limbs are not mixed. Lanes without a row are zero. Coordinates: those of the base
/// (six or none), then joint k at base_dofs + k - 1.
struct LoopSet {
  int ties, rows, chunks, coordinates;
  const LoopTie* tie;
  const int* lane;            ///< of each row
  const int* generalized;     ///< entry of ν that belongs to a coordinate
  const double* sign;         ///< (chunks × coordinates × 8) 1 where a coordinate moves link b, -1: link a; 0: both
  const int* touched;         ///< (chunks × coordinates) coordinates with a sign, ascending
  const int* touched_count;   ///< (chunks)
  const int* reached;         ///< (chunks × coordinates) those and all on their paths to the base, ascending
  const int* reached_count;   ///< (chunks)
  int moving;                 ///< joints that change some gap: the others move both links of every loop
  const int* moving_joint;    ///< ascending
  const std::uint8_t* moves;  ///< (links) listed there; of the base: some loop is tied to the world
  int balls;                  ///< ball joints among the moving ones, three in a row
  const int* ball;            ///< where the first of each is in moving_joint, ascending
  double *position, *sine, *cosine;  ///< of the moving joints, padded; those of balls as in Scratch
  LinkPlace* place;                  ///< (links) of the moving joints at another configuration
  double* gap;                       ///< (rows) [m]
  double share_of_open;              ///< shareOfOpenLoops() [1/m²]
  double* screw;                     ///< (chunks × 6 × 8) unit force along a row, as a wrench at the base's origin
  double* J;                         ///< (chunks × coordinates × 8) Jᵀ of the rows
  double* Y;                         ///< L⁻ᵀ Jᵀ, the same shape
  double* X;                         ///< M⁻¹ Jᵀ, the same shape
  double* U;              ///< (lanes × lanes) J M⁻¹ Jᵀ; where row p was the pivot, what was left of it then
  double* F;              ///< (lanes × lanes) multiples of pivot rows that were taken off each row
  int* order;             ///< (lanes) pivots in their order; the other rows depend on them
  double* pivot_inverse;  ///< (lanes) in the same order
  int rank;
  int in_doubt;       ///< rows that are independent by no more than open loops make them
  double* own;        ///< (lanes) entries of J M⁻¹ Jᵀ of rows with themselves
  double *v, *lanes;  ///< (lanes) scratch
  double* B;          ///< (groups of contacts × lanes × 8) loops with links that touch, eliminated
};

/// Points that touch the ground, grouped by link. Numbers about contacts lie component by component, as in
/// ContactLayout: component c of contact i at c·stride + i.
template <class T>
struct ContactSet {
  int count, stride;
  bool world_axes;     ///< all contact axes are those of the world
  const double* p_KC;  ///< in the link's frame K (3 × stride) [m]
  const double* R_WC;  ///< column by column (9 × stride) [-]
  const int* group;    ///< number of the contact's link in the list below
  int groups;
  const int* link;               ///< links that have contacts
  const int* shared;             ///< (groups × groups) joints on both paths
  const double* lane_mask;       ///< (groups × stride) 1 where the contact belongs to the group
  const std::uint8_t* in_block;  ///< (groups × stride) at the first contact of a block: the group has a contact in it
  T* p;                          ///< from the base's origin, world axes (3 × stride) [m]
  const Six<T>* axes;            ///< twists of each group's path, in max_path rows; null: those of the joints
  Six<T>* Y;                     ///< L⁻ᵀ Jᵀ of each group: rows of the base, then its path, in max_path + 6 rows
  Six<T>* Z;                     ///< D⁻¹ Y of the group at hand
  const LoopSet* loops;          ///< rows that answer impulses at the contacts; null: none
  Six<T>* Lambda;  ///< J M⁻¹ Jᵀ of the links at the base's origin: (groups × groups) blocks of six rows
};

/// Rows of joints' own velocities beside those of contacts; joint numbers are those of the tree.
struct JointRows {
  int count;
  int stride;             ///< of the contacts and the joints together
  const int* joint;       ///< number of each
  const double* sign;     ///< of its velocity
  const int* component;   ///< which of a contact's rows it takes
  const int* with_group;  ///< (count × groups) joints on the way to it and to the link of a group of contacts
  const int* with_joint;  ///< (count × count) the same of two of them
  int row;                ///< numbers of one below
  double* y;              ///< (count × row) L⁻ᵀ e: those of the base, then its path
  double* z;              ///< (row) D⁻¹ y of the joint at hand
};

}  // namespace footfall::native
